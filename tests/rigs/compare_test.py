# SPDX-License-Identifier: Apache-2.0
"""`muster compare`: of played runs of a healthy machine next to none is accused, a loss of 5 % is named nearly always, and what real
runs of this machine show is noise; what it says is valid, and its exit code is that of what it says."""
import copy
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/support"))
import played_rates  # noqa: E402
from drawn import IS_WHOLE  # noqa: E402
from muster import BIN, SOURCE, STEADY_MEMORY, expect_refused, muster  # noqa: E402
from schema import Schema  # noqa: E402

COMPARISON = Schema(SOURCE / "results/compare.schema.json")
EXAMPLE = SOURCE / "results/examples/gpu.json"
PAIRS = 100 if IS_WHOLE else 2
MOST_WRONG = 5 if IS_WHOLE else 1
TOLD = ("worse", "gone", "new", "better", "changed")
REAL_RUNS = 12


class Compare(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = pathlib.Path(place.name)

    def written(self, name, document):
        (self.folder / name).write_text(json.dumps(document))
        return name

    def compared(self, a, b, *options):
        """What it says of two documents, which the schema takes, and whose exit code fits."""
        files = self.written("a.json", a), self.written("b.json", b)
        run = muster("compare", *files, "--format", "json", *options, folder=self.folder)
        self.assertEqual(run.stderr, "")
        said = json.loads(run.stdout)
        COMPARISON.validate(said)
        is_bad = said["counts"]["worse"] + said["counts"]["gone"] > 0
        self.assertEqual((run.returncode, said["status"]), (1, "fail") if is_bad else (0, "pass"))
        return said


def told(said):
    """Of what people are told: change, metric and labels."""
    return [(change["change"], change["metric"] or change["check"], change["labels"]) for change in said["changes"] if change["change"] in TOLD]


def slower(document, number, factor):
    """The same with another value of one rate, in all its numbers."""
    changed = copy.deepcopy(document)
    facts = [fact for check in changed["checks"] for fact in check["measurements"] if "summary" in fact]
    fact = facts[number]
    summary = fact["summary"]
    for key in ("minimum", "median", "p95", "p99", "maximum"):
        summary[key] *= factor
    for key in summary.get("median_interval", {}):
        summary["median_interval"][key] *= factor
    fact["value"]["value"] = summary["median"]
    for check in changed["checks"]:
        for verdict in check["verdicts"]:
            if verdict["metric"] == fact["metric"] and all(fact["labels"].get(key) == value for key, value in verdict["labels"].items() if key not in ("host",)):
                verdict.get("value", {}).update(value=summary["median"])
    return changed, (fact["metric"], fact["labels"])


class PlayedRuns(Compare):
    """The two bounds: of 100 healthy pairs 95 name nothing, and of 100 with a loss of 5 % in one rate 95 name it."""

    def pair(self, model, seed, loss=0.0):
        draw = random.Random(f"{model.__name__} {seed} {loss}")
        places = played_rates.places()
        slow = draw.randrange(len(places)) if loss else None
        a = played_rates.report(draw, model, seed)
        b = played_rates.report(draw, model, seed, slow, loss, run_id="2")
        return told(self.compared(a, b)), places[slow] if loss else None

    def test_of_healthy_pairs_nothing_is_named(self):
        for model in (*played_rates.MODELS, played_rates.crowded):
            named = [said for said, _ in (self.pair(model, seed) for seed in range(PAIRS)) if said]
            with self.subTest(model=model.__name__):
                print(f"{model.__name__}: {PAIRS - len(named)} of {PAIRS} healthy pairs name nothing")
                self.assertLessEqual(len(named), MOST_WRONG, named[:3])

    def test_a_loss_of_five_percent_is_named(self):
        for model in played_rates.MODELS:
            found = 0
            for seed in range(PAIRS):
                said, place = self.pair(model, seed, loss=0.05)
                found += ("worse", *place) in said
            with self.subTest(model=model.__name__):
                print(f"{model.__name__}: {found} of {PAIRS} losses of 5 % are named")
                self.assertGreaterEqual(found, PAIRS - MOST_WRONG)


class WhatItSays(Compare):
    def setUp(self):
        super().setUp()
        self.gpu = json.loads(EXAMPLE.read_text())

    def test_what_is_worse_comes_first_with_its_numbers(self):
        slow, (metric, _) = slower(self.gpu, 0, 0.9)
        self.written("a.json", self.gpu)
        self.written("b.json", slow)
        run = muster("compare", "a.json", "b.json", folder=self.folder)
        self.assertEqual((run.returncode, run.stderr), (1, ""), run.stdout)
        first = next(line for line in run.stdout.splitlines() if line.startswith("WORSE"))
        self.assertIn(metric, first)
        self.assertIn("10 % less (noise: ", run.stdout)
        self.assertNotIn("NOISE", run.stdout)
        self.assertIn("NOISE", muster("compare", "a.json", "b.json", "--all", folder=self.folder).stdout)
        self.assertEqual(muster("compare", "a.json", "b.json", "--quiet", folder=self.folder).stdout, "")
        self.assertEqual([change for change, *_ in told(self.compared(slow, self.gpu))], ["better"])

    def test_another_tier_and_profile_are_said_first(self):
        other = copy.deepcopy(self.gpu)
        other["selection"]["tier"] = "full"
        other["profile"]["name"] = "mine"
        said = self.compared(self.gpu, other)
        self.assertEqual([phrase.split(" (")[0] for phrase in said["differences"]], ["profile", "tier"])
        text = muster("compare", "a.json", "b.json", folder=self.folder).stdout
        self.assertTrue(text.startswith("A and B differ in profile "), text)

    def test_a_driver_that_is_another_has_changed(self):
        other = json.loads(json.dumps(self.gpu).replace("580.159.04", "590.1"))
        said = self.compared(self.gpu, other)
        self.assertEqual({change for change, *_ in told(said)}, {"changed"})
        self.assertIn("inventory.host.nvidia_driver", [metric for _, metric, _ in told(said)])

    def test_a_check_that_is_skipped_now_is_gone(self):
        other = copy.deepcopy(self.gpu)
        check = next(check for check in other["checks"] if check["check"] == "gpu_copy")
        check |= {"outcome": "skipped", "status": "skip", "reason": "not selected", "measurements": [], "verdicts": [], "evidence": []}
        self.assertEqual(told(self.compared(self.gpu, other)), [("gone", "gpu_copy", {})])

    def test_every_example_can_be_compared_with_every_other(self):
        examples = sorted((SOURCE / "results/examples").glob("*.json"))
        documents = [json.loads(file.read_text()) for file in examples]
        for a in documents:
            for b in documents:
                said = self.compared(a, b)
                if a == b:
                    self.assertEqual(told(said), [])

    def test_one_of_them_may_come_from_stdin(self):
        self.written("a.json", self.gpu)
        with open(EXAMPLE, encoding="utf-8") as stdin:
            run = subprocess.run([BIN / "muster", "compare", "a.json", "-"], cwd=self.folder, stdin=stdin, capture_output=True, text=True, check=False)
        self.assertEqual((run.returncode, run.stderr), (0, ""), run.stdout)
        piped = f"{BIN / 'muster'} compare <(cat a.json) <(cat {EXAMPLE})"  # which can be read once
        run = subprocess.run(["bash", "-c", piped], cwd=self.folder, capture_output=True, text=True, check=False)
        self.assertEqual((run.returncode, run.stderr), (0, ""), run.stdout)

    @unittest.skipUnless((BIN / "muster-fleet").exists(), "needs libcurl and simdjson")
    def test_two_nights_of_a_fleet(self):
        folder = self.folder / "night"
        folder.mkdir()
        for night, nodes in (("a", ("gpu-1", "gpu-2")), ("b", ("gpu-2", "gpu-3"))):
            for name in nodes:
                report = json.loads(EXAMPLE.read_text().replace('"vm"', f'"{name}"')) | {"started": "2026-11-29T01:00:00Z"}
                (folder / f"{name}.json").write_text(json.dumps(report))
            made = muster("fleet", "collect", "night", "--nodes", ",".join(nodes), "--since", "2026-11-28T00:00:00Z", "--report", f"{night}.json",
                          folder=self.folder)
            self.assertTrue((self.folder / f"{night}.json").exists(), made.stderr)
            for name in nodes:
                (folder / f"{name}.json").unlink()
        for command in (("compare",), ("fleet", "compare")):
            run = muster(*command, "a.json", "b.json", "--format", "json", folder=self.folder)
            self.assertEqual((run.returncode, run.stderr), (1, ""), run.stdout)
            said = json.loads(run.stdout)
            COMPARISON.validate(said)
            self.assertEqual([(change["change"], change["host"]) for change in said["changes"]], [("gone", "gpu-1"), ("new", "gpu-3")])
        self.written("run.json", self.gpu)
        for pair in (("a.json", "run.json"), ("run.json", "a.json")):
            expect_refused(self, muster("compare", *pair, folder=self.folder), "a.json is the report of a fleet and run.json that of a run")

    def test_what_cannot_be_compared(self):
        self.written("a.json", self.gpu)
        self.written("later.json", self.gpu | {"schema": 2})
        self.written("said.json", self.compared(self.gpu, self.gpu | {"run_id": "2"}))
        (self.folder / "cut.json").write_text(EXAMPLE.read_text()[:1000])
        (self.folder / "text.json").write_text("nothing")
        (self.folder / "link.json").symlink_to("a.json")
        for words, says in ((("a.json", "absent.json"), ["absent.json"]), (("later.json", "a.json"), ["later.json", "version 1 only"]),
                            (("a.json", "text.json"), ["text.json", "not JSON"]), (("a.json", "cut.json"), ["cut.json"]),
                            (("a.json", "said.json"), ["said.json", "what muster compare said"]), (("a.json", "a.json"), ["one file"]),
                            (("a.json", "link.json"), ["one file"]), (("-", "-"), ["one file"]), (("a.json",), ["B"]),
                            (("a.json", SOURCE / "healthcheck/profiles/generic.json"), ["profile"])):
            expect_refused(self, muster("compare", *words, folder=self.folder), *says)


@unittest.skipUnless(IS_WHOLE, "real runs take a minute")
class RealRuns(Compare):
    """This machine may be shared with others, so that little can be promised of it: healthy runs name nothing but seldom, and where
    a loss could be seen, it is."""

    def run_once(self, name):
        muster(*STEADY_MEMORY, "--profile", "generic", "--report", name, folder=self.folder)
        return json.loads((self.folder / name).read_text())

    def test_runs_of_this_machine(self):
        documents = [self.run_once(f"{i}.json") for i in range(REAL_RUNS)]
        named, losses = [], []
        for a, b in zip(documents, documents[1:]):
            said = self.compared(a, b)
            named += [told(said)] if told(said) else []
            rate = next(change for change in said["changes"] if change["subject"] == "rate" and change["labels"]["kernel"] == "copy")
            loss = max(0.05, 1.01 * rate["noise"])
            slow, (metric, labels) = slower(b, 0, (1 - loss) * rate["before"]["value"] / rate["after"]["value"])
            self.assertEqual(labels, rate["labels"])
            losses.append(f"{loss:.0%}")
            self.assertIn(("worse", metric, labels), told(self.compared(a, slow)), f"a loss of {loss:.1%}, which it calls more than noise")
        print(f"{len(named)} of {REAL_RUNS - 1} real pairs name something; losses of {', '.join(losses)} were named")
        self.assertLessEqual(len(named), 2, named)


if __name__ == "__main__":
    unittest.main()

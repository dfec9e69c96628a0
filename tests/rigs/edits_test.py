# SPDX-License-Identifier: Apache-2.0
"""Reports and profiles of which spelling, structure, encoding and order are edited at random: each edit is refused in one sentence
or read as if there were none, and both readers of reports agree; edits of judged values: the verdict is that of a second judge.

Of each the quick tests draw a few, and print the seed; `edits_test.py SEED` draws them again."""
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/support"))
import edits  # noqa: E402
import report_edits  # noqa: E402
import second_judge  # noqa: E402
from drawn import IS_WHOLE  # noqa: E402
from muster import BIN, SOURCE, muster, node  # noqa: E402
from value_edits import edited_value, played_report  # noqa: E402

READER = BIN.parent / "tests/read_documents"
MACHINE = SOURCE / "tests/machines/ndv5"
PROFILES = SOURCE / "healthcheck/profiles"
WHOLE_SEED = 20261128  # of the 10,000 edits of each kind
COUNT = 10_000 if IS_WHOLE else 60
SEED = int(sys.argv.pop(1)) if sys.argv[1:2] and sys.argv[1].isdigit() else WHOLE_SEED if IS_WHOLE else random.randrange(10**6)
UNASKED = ("check_unfinished", "check_error", "check_crashed", "check_timed_out", "check_not_started", "out_of_budget", "interrupted", "machine_in_use",
           "profile_uncertain", "check_unavailable", "kernel_file_unreadable")
REPORT_ERROR = re.compile(r"(/|line \d+: |it contradicts itself: )")


def read(folder, *words):
    """What the reader says of each file of the folder, by name."""
    paths = sorted(path for path in folder.iterdir() if path.name.startswith("edit-"))
    run = subprocess.run([READER, *map(str, words)], input="\n".join(map(str, paths)), text=True, stdout=subprocess.PIPE, check=True)
    lines = [json.loads(line) for line in run.stdout.splitlines()]
    assert len(lines) == len(paths)
    return {pathlib.Path(line.pop("path")).name: line for line in lines}


def real_report(folder):
    """Of a healthy machine, whose verdicts are of many kinds."""
    made = node("--root", MACHINE, "--profile", "nd96isr_h100_v5", "--tier", "preflight", "--quiet", "--report", folder / "real.json", folder=folder)
    assert made.returncode in (0, 1, 3), made.stderr
    return (folder / "real.json").read_text()


def is_told(verdict):
    """Whether a verdict is about an expectation, and accuses somebody or passes."""
    return verdict[1] != "skip" and verdict[4] not in UNASKED


class Edits(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.TemporaryDirectory(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None)
        cls.addClassCleanup(cls.place.cleanup)
        cls.root = pathlib.Path(cls.place.name)
        cls.real = real_report(cls.root)

    def folder(self, name):
        made = self.root / name
        made.mkdir()
        self.addCleanup(shutil.rmtree, made)
        return made

    def write(self, folder, originals, kinds):
        """An edit of one of the originals in each file; returns what was edited how and what must become of it, by file."""
        draw = random.Random(SEED)
        cases = {}
        while len(cases) < COUNT:
            name, text = draw.choice(originals)
            edit, becomes, function = draw.choice(kinds)
            try:
                made = function(draw, edits.parsed(text))
            except IndexError:  # it has nothing to edit so
                continue
            file = f"edit-{len(cases):05}.json"
            (folder / file).write_bytes(made if isinstance(made, bytes) else made.encode("utf-8", "surrogatepass"))
            cases[file] = (name, edit, becomes)
        return cases

    def expect(self, holds, case, file, said):
        if not holds:
            self.wrong.append(f"{case} {file}: {json.dumps(said, ensure_ascii=False)[:400]}")

    def setUp(self):
        self.wrong = []

    def tearDown(self):
        self.assertEqual(self.wrong[:8], [], f"{len(self.wrong)} of {COUNT} edits with seed {SEED}")

    def expect_read(self, case, file, said, original):
        """As its kind of edit must be read. What is damaged keeps the status, for no verdict of it is another."""
        becomes, is_refused = case[2], "error" in said
        is_same = not is_refused and all(said[name] == original[name] for name in ("status", "verdicts"))
        self.expect({edits.KEPT: is_same, edits.REFUSED: is_refused, edits.EITHER: is_same or is_refused,
                     edits.DAMAGED: is_refused or said["status"] == original["status"]}[becomes], case, file, said)
        if is_refused:
            self.expect(len(said["error"].splitlines()) == 1, case, file, said)

    def test_reports(self):
        folder = self.folder("reports")
        originals = [(path.stem, path.read_text()) for path in sorted((SOURCE / "results/examples").glob("*.json")) if path.stem != "gpu"]
        originals = originals * 4 + [("real", self.real), ("gpu", (SOURCE / "results/examples/gpu.json").read_text())]
        plain = self.folder("plain")
        for name, text in originals:
            (plain / f"edit-{name}").write_text(text)
        whole = {name[5:]: said["strict"] for name, said in read(plain, "reports").items()}
        cases = self.write(folder, originals, edits.EDITS + report_edits.EDITS)
        refused = set()
        for file, said in read(folder, "reports").items():
            case, strict, fleet = cases[file], said["strict"], said["fleet"]
            self.expect_read(case, file, strict, whole[case[0]])
            if "error" in strict:
                refused.add(file)
                self.expect("error" in fleet and REPORT_ERROR.match(strict["error"]), case, file, said)
            elif "error" in fleet:  # a report, but of no node
                self.expect(re.match("it is about |started: it has none", fleet["error"]), case, file, said)
                refused.add(file)
            else:
                self.expect(fleet["same"] and fleet["status"] == strict["status"], case, file, said)
        self.expect_products_agree(folder, cases, refused)

    def expect_products_agree(self, folder, cases, refused):
        """Of all files `muster fleet collect` names those as unreadable, and `muster report` shows all others."""
        muster("fleet", "collect", folder, "--nodes", "node", "--since", "2000-01-01T00:00:00Z", "--report", self.root / "fleet.json", folder=self.root)
        collected = json.loads((self.root / "fleet.json").read_text())
        self.assertEqual({pathlib.Path(each["path"]).name for each in collected["unreadable"]}, refused)
        draw = random.Random(SEED)
        for file in draw.sample(sorted(cases), 100 if IS_WHOLE else 10):
            shown = muster("report", folder / file, "--exit-zero", folder=self.root)
            if shown.returncode == 0:
                self.expect(file not in refused, cases[file], file, shown.stdout[-100:])
            else:
                self.expect(shown.returncode == 2 and len(shown.stderr.splitlines()) == 1 and file in shown.stderr, cases[file], file, shown.stderr)

    def test_profiles(self):
        folder = self.folder("profiles")
        for path in PROFILES.glob("*.json"):
            shutil.copy(path, folder)
        originals = [(path.stem, path.read_text()) for path in sorted([*PROFILES.glob("nd*.json"), *(SOURCE / "tests/fuzz/profile_seeds").glob("*.json")])]
        plain = self.folder("plain")
        for name, text in originals:
            (plain / f"edit-{name}").write_text(text)
        for path in PROFILES.glob("*.json"):
            shutil.copy(path, plain)
        whole = {name[5:]: said for name, said in read(plain, "profiles", self.root / "real.json").items()}
        cases = self.write(folder, originals, edits.EDITS)
        for file, said in read(folder, "profiles", self.root / "real.json").items():
            case = cases[file]
            if case[2] != edits.DAMAGED:
                self.expect_read(case, file, said, whole[case[0]])
            self.expect(said["findings"] if "error" in said else case[2] != edits.KEPT or said["findings"] == whole[case[0]]["findings"], case, file, said)
            for sentence in [*said["findings"], *([said["error"]] if "error" in said else [])]:
                self.expect(len(sentence.splitlines()) == 1 and re.search(r"\.json:\d+: ", sentence), case, file, said)

    def test_judged_values(self):
        folder = self.folder("values")
        profile = PROFILES / "nd96isr_h100_v5.json"
        judge = second_judge.Judge(profile, PROFILES, SOURCE / "healthcheck/faults.json")
        units = {each["metric"]: each["unit"] for each in json.loads((SOURCE / "healthcheck/metrics.json").read_text()) if each["unit"] != "text"}
        draw = random.Random(SEED)
        real = json.loads(self.real)
        originals = [real, *(played_report(draw, real, judge.expectations, units.get) for _ in range(12))]
        reports = {}
        for number in range(COUNT):
            report = edited_value(draw, draw.choice(originals), judge.expectations)
            reports[f"edit-{number:05}.json"] = report
            (folder / f"edit-{number:05}.json").write_text(json.dumps(report))
        for file, said in read(folder, "judge", profile).items():
            ours = [json.dumps(each) for each in said.get("verdicts", [said]) if "error" in said or is_told(each)]
            theirs = [json.dumps(each, sort_keys=True) for each in judge.judged(reports[file])]
            self.expect(sorted(ours) == sorted(theirs), "judged otherwise", file,
                        {"ours": sorted(set(ours) - set(theirs))[:3], "theirs": sorted(set(theirs) - set(ours))[:3]})


if __name__ == "__main__":
    if not READER.exists():
        print("skipped: needs simdjson and libcurl")
        sys.exit(77)
    print(f"seed {SEED}", flush=True)
    unittest.main()

# SPDX-License-Identifier: Apache-2.0
"""`muster fleet collect` and `muster fleet summary` on folders of reports: what is missing, doubled, cut or of another run."""
import functools
import json
import os
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/support"))
import beside  # noqa: E402
from muster import BIN, SOURCE, STEADY_MEMORY, expect_refused, muster, of_host, refuse, reports  # noqa: E402
from schema import Schema  # noqa: E402

FLEET = Schema(SOURCE / "results/fleet.schema.json")
EXAMPLES = {name: json.loads((SOURCE / f"results/examples/{name}.json").read_text()) for name in ("pass", "warn", "unknown", "fail")}
SINCE = ("--since", "2026-11-25T00:00:00Z")


@functools.cache
def measured_here():
    with tempfile.TemporaryDirectory() as folder:
        muster(*STEADY_MEMORY, folder=folder)
        return json.loads(reports(folder)[-1].read_text())


PASSED = {"status": "pass", "metric": "host_memory.wrong_elements", "labels": {}, "expected": "0", "source": "this test", "reason": "as expected",
          "fault": "", "action": "", "azure_code": "", "azure_category": ""}


class Collect(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        measured_here()

    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.addCleanup(self.place.cleanup)
        self.folder = pathlib.Path(self.place.name)
        self.reports = self.folder / "reports"
        self.reports.mkdir()

    def add(self, host, kind="pass", started="2026-11-25T03:00:00.000Z", file=None):
        """A report of that node, as one of the examples."""
        document = of_host(EXAMPLES[kind], host)
        document["started"], document["run_id"] = started, f"{host} {started}"
        path = self.reports / (file or f"{host}.json")
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(document))
        os.utime(path, (1764039600,) * 2)  # long before
        return path

    def collect(self, *options, code):
        run = muster("fleet", "collect", self.reports, *SINCE, *options, folder=self.folder)
        self.assertEqual(run.returncode, code, run.stderr + run.stdout)
        self.assertEqual(run.stderr, "report: muster-fleet.json\n")
        document = json.loads((self.folder / "muster-fleet.json").read_text(), parse_constant=refuse)
        FLEET.validate(document)
        self.said = run.stdout
        return document, {node["name"]: (node["status"], node["coverage"]) for node in document["nodes"]}

    def test_every_node_exactly_once(self):
        for number in range(1, 21):
            self.add(f"gpu-{number:04}")
        document, nodes = self.collect("--nodes", "gpu-[0001-0020]", code=0)
        self.assertEqual(document["status"], "pass")
        self.assertEqual(set(nodes.values()), {("pass", "tested")})
        self.assertEqual(document["summary"], "of 20 nodes: 20 passed")
        self.assertNotIn("gpu-0001", self.said)

    def test_nodes_are_listed_as_slurm_and_kubectl_list_them(self):
        names = ("gpu-1", "gpu-2", "aks-gpu-vmss00000b")
        for name in names:
            self.add(name)
        for text in ("gpu-1\ngpu-2\naks-gpu-vmss00000b\n", "node/gpu-1\nnode/gpu-2\nnode/aks-gpu-vmss00000B\n", "gpu-[1-2] slots=8\naks-gpu-vmss00000b",
                     "gpu-1:8\ngpu-2:4\naks-gpu-vmss00000b\n", "gpu-1 slots = 8\ngpu-2 slots=4\nroot@aks-gpu-vmss00000b\n", "gpu-1\ngpu-1\ngpu-2\n\naks-gpu-vmss00000b"):
            with self.subTest(text):
                (self.folder / "nodes").write_text(text)
                document, _ = self.collect("--nodes-file", self.folder / "nodes", code=0)
                self.assertEqual((document["status"], len(document["nodes"])), ("pass", 3))
        for text in ("gpu-1,gpu-2,aks-gpu-vmss00000b", "gpu-1, gpu-2, aks-gpu-vmss00000b", "gpu-[1-2] aks-gpu-vmss00000b", "gpu-[1,2],aks-gpu-vmss00000B,AKS-gpu-vmss00000b",
                     "gpu-1\ngpu-2\nnode/aks-gpu-vmss00000b\n", "gpu-1:8,gpu-2:4,aks-gpu-vmss00000b"):
            with self.subTest(text):
                document, _ = self.collect("--nodes", text, code=0)
                self.assertEqual((document["status"], len(document["nodes"])), ("pass", 3))

    def test_each_fault_is_named(self):
        (self.folder / "nodes").write_text("good # in rack 7\n\nbad\nodd\ngone\nold\ntwice\nahead\nbehind\ncut\n")
        self.add("good"), self.add("bad", "fail"), self.add("odd", "unknown"), self.add("stranger")
        self.add("old", started="2026-11-23T03:00:00Z")
        self.add("twice"), self.add("twice", started="2026-11-25T04:00:00Z", file="again/twice.json")
        self.add("ahead", started="2036-11-25T03:00:00Z")
        os.utime(self.add("behind", started="2016-11-25T03:00:00Z"))  # now
        cut = self.add("cut")
        cut.write_text(cut.read_text()[:5000])
        document, nodes = self.collect("--nodes-file", self.folder / "nodes", code=1)
        self.assertEqual(nodes, {"good": ("pass", "tested"), "bad": ("fail", "tested"), "odd": ("unknown", "tested"),
                                 "gone": ("fail", "missing"), "old": ("fail", "missing"), "twice": ("warn", "twice"),
                                 "ahead": ("unknown", "tested"), "behind": ("unknown", "tested"), "cut": ("fail", "missing"),
                                 "stranger": ("warn", "unexpected")})
        self.assertEqual([file["path"] for file in document["unreadable"]], [str(cut)])
        self.assertEqual([node["name"] for node in document["nodes"]][:4], ["bad", "cut", "gone", "old"])
        for words in ("MISSING  gone", "it left no report", "is of 2026-11-23", "its clock is off", "it was tested 2 times", "it was not expected",
                      str(cut), "the link is DOWN [ib_port_down]"):
            self.assertIn(words, self.said)

    def test_what_a_machine_here_writes_is_taken_with_its_summary(self):
        run = muster("node", "--tier", "preflight", "--only", "inventory", "--root", SOURCE / "tests/machines/ndv5", "--summary",
                     self.reports / "summary.json", "--report", self.reports / "report.json", folder=self.folder)
        self.assertEqual(run.returncode, 0, run.stderr)
        name = json.loads((self.reports / "report.json").read_text())["hosts"][0]["name"]
        document, nodes = self.collect("--nodes", name, code=0)
        self.assertEqual(list(nodes), [name])
        self.assertEqual([source["whole"] for source in document["nodes"][0]["reports"]], [True])
        (self.reports / "report.json").unlink()
        document, _ = self.collect("--nodes", name, code=0)
        self.assertEqual([source["whole"] for source in document["nodes"][0]["reports"]], [False])

    def add_measured(self, count, slow=(), by=0.6):
        """Reports of a fleet by one that this machine wrote, in which the rates of the nodes differ by up to 1 %."""
        own = measured_here()
        for number in range(count):
            name = f"gpu-{number:04}"
            document = of_host(own, name)
            document["run_id"], document["started"], document["status"] = name, "2026-11-25T03:00:00.000Z", "pass"
            for check in document["checks"]:
                check["verdicts"], check["status"] = [PASSED], "pass"
                for fact in check["measurements"]:
                    if fact["metric"] == "host_memory.bandwidth":
                        fact["value"]["value"] *= (1 + number % 11 / 1000) * (by if number in slow else 1)
                        fact["summary"]["median"] = fact["value"]["value"]
            (self.reports / f"{name}.json").write_text(json.dumps(document))

    def test_a_node_that_is_slower_than_the_others_is_named(self):
        self.add_measured(30)
        document, nodes = self.collect("--nodes", "gpu-[0000-0029]", code=0)
        self.assertEqual((document["status"], document["peers"]["nodes"], document["peers"]["divided"]), ("pass", 30, []))
        self.add_measured(30, slow={17})
        document, nodes = self.collect("--nodes", "gpu-[0000-0029]", code=0)
        self.assertEqual({name for name, state in nodes.items() if state != ("pass", "tested")}, {"gpu-0017"})
        self.assertEqual(nodes["gpu-0017"], ("warn", "tested"))
        problem = document["nodes"][0]["problems"][0]
        self.assertEqual([problem[key] for key in ("status", "check", "host", "metric", "fault")],
                         ["warn", "host_memory", "gpu-0017", "host_memory.bandwidth", "slower_than_peers"])
        self.assertRegex(problem["reason"], "^[0-9.]+ .B/s is 4[01] % below the median [0-9.]+ .B/s of [0-9]+ others; muster node --only host_memory looks again")
        self.assertIn(problem["reason"], self.said)
        self.assertIn("idle", problem["action"])
        shown = muster("fleet", "summary", self.folder / "muster-fleet.json", folder=self.folder)
        self.assertEqual((shown.returncode, shown.stdout), (0, self.said))
        explained = muster("explain", "slower_than_peers", folder=self.folder)
        self.assertIn(problem["action"], explained.stdout)

    def test_few_nodes_and_divided_ones_accuse_nobody(self):
        self.add_measured(4, slow={2})
        document, nodes = self.collect("--nodes", "gpu-[0000-0003]", code=0)
        self.assertEqual((set(nodes.values()), document["peers"]["values"]), ({("pass", "tested")}, 0))
        self.assertNotIn("were held", self.said)
        self.add_measured(30, slow=range(0, 30, 3))
        document, nodes = self.collect("--nodes", "gpu-[0000-0029]", code=0)
        self.assertEqual(set(nodes.values()), {("pass", "tested")})
        self.assertIn("host_memory.bandwidth", {each["metric"] for each in document["peers"]["divided"]})
        self.assertIn("no single node is to blame", self.said)
        self.assertEqual(document["status"], "warn")
        self.assertRegex(document["summary"], r"\Aof 30 nodes: 30 passed, \d+ kinds of rates or times of which many are slow\Z")

    def test_a_warning_by_peers_is_news_beside_a_report_of_before_that_knew_none(self):
        self.add_measured(30)
        before, _ = self.collect("--nodes", "gpu-[0000-0029]", code=0)
        del before["peers"]
        (self.folder / "before.json").write_text(json.dumps(before))
        self.add_measured(30, slow={17})
        document, _ = self.collect("--nodes", "gpu-[0000-0029]", "--previous", "before.json", code=0)
        self.assertEqual((document["nodes"][0]["name"], document["nodes"][0]["before"]), ("gpu-0017", "pass"))
        self.assertIn("1 worse, 0 better", self.said)
        self.assertIn("(pass before)", self.said)

    def test_the_report_of_a_fleet_is_shown_again_and_is_none_of_a_node(self):
        self.add("a", "fail")
        _, nodes = self.collect("--nodes", "a,b", "--report", "muster-fleet.json", code=1)
        (self.folder / "muster-fleet.json").rename(self.reports / "fleet.json")
        shown = muster("fleet", "summary", self.reports / "fleet.json", folder=self.folder)
        self.assertEqual((shown.returncode, shown.stdout, shown.stderr), (1, self.said, ""))
        self.assertEqual(self.collect("--nodes", "a,b", code=1)[1], nodes)

    def test_a_report_is_compared_with_the_one_before(self):
        history = self.folder / "history"
        history.mkdir()
        for kind, file in (("fail", "first.json"), ("pass", "second.json")):
            self.add("a", kind), self.add("b")
            self.collect("--nodes", "a,b", "--previous", history, code=kind == "fail")
            (self.folder / "muster-fleet.json").rename(history / file)
            (history / "of-a-node.json").write_text((self.reports / "a.json").read_text())
        first, second = (json.loads((history / file).read_text()) for file in ("first.json", "second.json"))
        self.assertEqual(([node["before"] for node in first["nodes"]], first.get("previous")), (["", ""], None))
        self.assertEqual({node["name"]: node["before"] for node in second["nodes"]}, {"a": "fail", "b": "pass"})
        self.assertEqual(second["previous"], {key: first[key] for key in ("run_id", "made")})
        self.assertIn("0 worse, 1 better, 0 gone", self.said)
        self.add("a", "fail")
        (self.reports / "b.json").unlink()
        document, _ = self.collect("--nodes", "a", "--previous", history, code=1)
        self.assertEqual(document["gone"], ["b"])
        self.assertEqual(document["previous"]["run_id"], second["run_id"])
        self.assertIn("(pass before)", self.said)

    def test_an_empty_folder_is_a_fleet_that_is_missing(self):
        document, nodes = self.collect("--nodes", "a,b", code=1)
        self.assertEqual(set(nodes.values()), {("fail", "missing")})

    def test_bad_options(self):
        (self.folder / "none").write_text("# nobody\n")
        (self.folder / "cut.json").write_text('{"schema": 1')
        for words, said in ((("collect", self.reports), "--nodes"), (("collect", "--nodes", "a"), "FOLDER"),
                            (("collect", "nowhere", "--nodes", "a"), "nowhere"), (("collect", self.reports, "--nodes", "a["), "a["),
                            *((("collect", self.reports, "--nodes", text), "--nodes") for text in ("n[]", "n[1-", "n[3-1]", "n[1, 2]", "", " ,", "a;b", "n*", "pod/a", "a:x")),
                            (("collect", self.reports, "--nodes", "a", "--nodes-file", "none"), "--nodes"),
                            (("collect", self.reports, "--nodes-file", "nowhere"), "nowhere"),
                            (("collect", self.reports, "--nodes-file", "none"), "names no host"),
                            (("collect", self.reports, "--nodes", "a", "--since", "yesterday"), "'yesterday'"),
                            (("collect", self.reports, "--nodes", "a", "--report", "nowhere/f.json"), "folder nowhere"),
                            (("collect", self.reports, "--nodes", "a", "--previous", "cut.json"), "cut.json"),
                            (("collect", self.reports, "--nodes", "a", "--previous", "nowhere"), "nowhere"),
                            (("summary", "cut.json"), "cut.json"), (("summary",), "REPORT")):
            with self.subTest(words):
                run = muster("fleet", *words, folder=self.folder)
                expect_refused(self, run, said)
                self.assertNotIn("--hosts", run.stderr, "which this command has not")


if __name__ == "__main__":
    if not (BIN / "muster-fleet").exists():
        print("skipped: needs libcurl and simdjson")
        sys.exit(77)
    beside.main(3)

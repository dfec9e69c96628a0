# SPDX-License-Identifier: Apache-2.0
"""`muster fleet act` before an API server: who is marked, who loses the mark, and that nobody else is touched."""
import copy
import json
import os
import sys
import time

sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/support"))
sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/rigs"))
from api_server import NODES, World  # noqa: E402
from beside import each  # noqa: E402
from fleet import Fleet, Started, main  # noqa: E402
from muster import SOURCE, expect_refused, muster, of_host  # noqa: E402

EXAMPLES = {name: json.loads((SOURCE / f"results/examples/{name}.json").read_text()) for name in ("pass", "warn", "unknown", "fail")}
FOREIGN = {"key": "sku", "value": "gpu", "effect": "NoSchedule"}
OURS = {"key": "muster/unfit", "value": "ib_port_down", "effect": "NoSchedule"}
MARK = {"muster/marked-by": "an older run", "muster/reason": "it was bad"}


def node(name, marked=False, labels=(), taints=(FOREIGN,)):
    return {"kind": "Node", "metadata": {"name": name, "resourceVersion": "7", "labels": {"a": "b", **dict(labels)} | (
        {"muster/unfit": "ib_port_down"} if marked else {}), "annotations": {"c": "d"} | (MARK if marked else {})},
            "spec": {"taints": [*taints, *([OURS] if marked else [])]}}


class Act(Fleet):
    def report(self, missing=(), **kinds):
        """Of the fleet whose nodes left reports of these kinds."""
        folder = self.folder / self.id()
        folder.mkdir(exist_ok=True)
        for host, kind in kinds.items():
            (folder / f"{host}.json").write_text(json.dumps(of_host(EXAMPLES[kind], host)))
        made = muster("fleet", "collect", folder, "--nodes", ",".join([*kinds, *missing]), "--since", "2000-01-01T00:00:00Z",
                      "--report", self.folder / f"{self.id()}.json", folder=self.folder)
        self.assertIn(made.returncode, (0, 1, 3), made.stderr)
        return self.folder / f"{self.id()}.json"

    def act(self, world, report, *options, code=0):
        run = Started(self, world, "act", report, *options).end()
        self.assertEqual((run.process.returncode, run.error), (code, ""), run.out)
        return run.out

    @staticmethod
    def of(world, name):
        return world.nodes[NODES + name]

    def expect_untouched(self, world, *nodes):
        self.assertEqual([world.nodes[NODES + each["metadata"]["name"]] for each in nodes], [*nodes])

    def test_the_node_that_failed_and_no_other_is_marked_when_told(self):
        report = self.report(bad="fail", good="pass", odd="unknown", hmm="warn", missing=["gone"])
        nodes = [node(name) for name in ("bad", "good", "odd", "hmm", "gone")]
        world = World(nodes=copy.deepcopy(nodes))
        said = self.act(world, report)
        self.assertEqual(said, "bad: dry run: marks it muster/unfit=ib_port_down (ib_link.state: the link is DOWN)\n")
        self.assertEqual(world.patches, [])
        self.expect_untouched(world, *nodes)
        self.assertEqual(self.act(world, report, "--apply"), said.replace("dry run: ", ""))
        bad = self.of(world, "bad")
        self.assertEqual(bad["metadata"]["labels"], {"a": "b", "muster/unfit": "ib_port_down"})
        self.assertEqual(bad["metadata"]["annotations"], {"c": "d", "muster/marked-by": json.loads(report.read_text())["run_id"],
                                                          "muster/reason": "ib_link.state: the link is DOWN"})
        self.assertEqual(bad["spec"]["taints"], [FOREIGN, OURS])
        self.expect_untouched(world, *nodes[1:])
        self.assertEqual(len(world.patches), 1)
        self.assertIn("left as it is", self.act(world, report, "--apply"))
        self.assertEqual(len(world.patches), 1)

    def test_a_pass_takes_our_mark_off_and_leaves_foreign_ones(self):
        report = self.report(healed="pass", warned="warn", still="unknown", missing=["gone"])
        world = World(nodes=[node(name, marked=True) for name in ("healed", "warned", "still", "gone")])
        said = self.act(world, report, "--apply")
        for name in ("healed", "warned"):
            self.assertEqual(self.of(world, name), node(name), name)
            self.assertIn(f"{name}: takes its mark off\n", said)
        for name in ("still", "gone"):
            self.expect_untouched(world, node(name, marked=True))
            self.assertIn(f"{name}: keeps its mark", said)

    def test_marks_of_the_same_name_by_others_stay(self):
        report = self.report(good="pass", bad="fail")
        theirs = [node("good", labels={"muster/unfit": "by-hand"}), node("bad", taints=[FOREIGN, OURS | {"value": "by-hand"}])]
        world = World(nodes=copy.deepcopy(theirs))
        self.assertEqual(self.act(world, report, "--apply").count("left as it is"), 2)
        self.expect_untouched(world, *theirs)
        self.assertEqual(world.patches, [])

    def test_the_cap_stops_a_night_in_which_everything_fails(self):
        names = [f"gpu-{number}" for number in range(40)]
        report = self.report(**dict.fromkeys(names[1:], "fail"), **{names[0]: "pass"})
        world = World(nodes=[node(name, marked=name == names[0]) for name in names])
        said = self.act(world, report, "--apply", code=3)
        self.assertIn("39 nodes would be marked, which is more than 2 of 40: none is", said)
        self.assertEqual([self.of(world, name)["spec"]["taints"] for name in names], [[FOREIGN]] * 40)  # the good one was healed
        for options, limit in ((("--most", "1"), 1), (("--most-share", "0.5", "--most", "100"), 20), (("--most", "0"), 0)):
            self.assertIn(f"more than {limit} of 40", self.act(world, report, *options, code=3))
        self.act(world, report, "--apply", "--most", "39", "--most-share", "1")
        self.assertEqual(len(world.patches), 1 + 39)

    def test_what_is_no_name_of_a_node_is_not_asked_for(self):
        names = ("..", ".", "a/b", "-a", "a.", "VM", "a..b", "a?b")
        report = self.report(bad="fail")
        document = json.loads(report.read_text())
        document["nodes"] = [document["nodes"][0] | {"name": name} for name in names]
        report.write_text(json.dumps(document))
        said = self.act(World(nodes=[]), report, "--apply", "--most", "9", "--most-share", "1", code=3)
        self.assertEqual(sorted(said.splitlines()), sorted(f"{name}: is not a name of a node of Kubernetes" for name in names))

    def test_those_that_are_marked_already_do_not_count(self):
        report = self.report(a="fail", b="fail", c="fail")
        world = World(nodes=[node("a", marked=True), node("b", marked=True), node("c")])
        self.act(world, report, "--apply")
        self.assertEqual(len(world.patches), 1)
        self.assertEqual(self.of(world, "c")["spec"]["taints"], [FOREIGN, OURS])

    def test_trouble_is_waited_out_and_a_conflict_looked_at_again(self):
        report = self.report(bad="fail", good="pass")
        def check(trouble):
            world = World(nodes=[node("bad")], trouble=lambda _, number: trouble if number in (1, 3, 5) else None)
            self.act(world, report, "--apply")
            self.assertEqual(self.of(world, "bad")["spec"]["taints"], [FOREIGN, OURS])

        each(self, check, [409, 429, 500, "reset", "cut"])

    def test_a_node_that_changes_meanwhile_is_not_overwritten(self):
        report = self.report(bad="fail")
        world = World(nodes=[node("bad")])

        def meddle(path, number):
            if number == 3:  # the patch: somebody was faster
                world.nodes[NODES + "bad"]["metadata"]["resourceVersion"] = "8"
                world.nodes[NODES + "bad"]["spec"]["taints"].append({"key": "other", "effect": "NoExecute"})

        world.trouble = meddle
        self.act(world, report, "--apply")
        self.assertEqual([taint["key"] for taint in self.of(world, "bad")["spec"]["taints"]], ["sku", "other", "muster/unfit"])

    def test_what_cannot_be_done_in_time_is_told(self):
        report = self.report(bad="fail", worse="fail")
        world = World(nodes=[node("bad"), node("worse")], trouble=lambda path, number: 403 if path.endswith("bad") else None)
        said = self.act(world, report, "--apply", "--wait", "3", "--most-share", "1", code=3)
        self.assertIn("bad: a right is missing", said)
        self.assertEqual(self.act(World(nodes=[node("worse")]), report, "--apply", "--most-share", "1").splitlines()[0],
                         "bad: is not a node of this cluster")

    def test_the_newest_report_of_a_folder_counts_and_an_old_one_does_not(self):
        report = self.report(bad="fail")
        nights = self.folder / "nights"
        nights.mkdir()
        for name, age, nodes in (("older", 30, ["worse"]), ("newer", 20, ["bad"])):
            document = json.loads(report.read_text())
            document["nodes"] = [document["nodes"][0] | {"name": node} for node in nodes]
            (nights / f"{name}.json").write_text(json.dumps(document))
            os.utime(nights / f"{name}.json", (time.time() - age,) * 2)
        (nights / "node.json").write_text(json.dumps(EXAMPLES["fail"]))
        self.assertTrue(self.act(World(nodes=[node("bad"), node("worse")]), nights).startswith("bad: dry run: marks it"))
        document["made"] = "2026-01-01T00:00:00Z"
        (nights / "newest.json").write_text(json.dumps(document))
        for place in (nights, nights / "newest.json"):
            expect_refused(self, muster("fleet", "act", place, folder=self.folder), "2026-01-01T00:00:00Z, more than 24 h ago")

    def fit(self, world, name):
        """Of the condition MusterFit: its status and reason, and since when; nothing where there is none."""
        found = [each for each in self.of(world, name).get("status", {}).get("conditions", []) if each["type"] == "MusterFit"]
        self.assertLess(len(found), 2)
        return (found[0]["status"], found[0]["reason"], found[0].get("lastTransitionTime")) if found else None

    def test_the_condition_of_each_node_is_told_and_no_other_is_touched(self):
        report = self.report(bad="fail", good="pass", odd="unknown", hmm="warn", missing=["gone"])
        made = json.loads(report.read_text())["made"]
        ready = {"type": "Ready", "status": "True"}
        world = World(nodes=[node(name) | {"status": {"conditions": [ready]}} for name in ("bad", "good", "odd", "hmm", "gone", "foreign")])
        said = self.act(world, report, "--condition")
        self.assertIn("good: dry run: tells that MusterFit is True (it passed)\n", said)
        self.assertEqual((world.statuses, world.patches, world.events), ([], [], []))
        self.assertEqual(self.act(world, report, "--condition", "--apply"), said.replace("dry run: ", ""))
        self.assertEqual({name: self.fit(world, name) for name in ("bad", "good", "hmm", "gone", "foreign")}, {
            "bad": ("False", "IbPortDown", made), "good": ("True", "Passed", made), "hmm": ("True", "Warned", made),
            "gone": ("Unknown", "NotTested", made), "foreign": None})
        self.assertEqual(self.fit(world, "odd")[0], "Unknown")
        self.assertEqual([self.of(world, name)["status"]["conditions"][0] for name in ("bad", "good")], [ready] * 2)
        self.assertEqual(len(world.statuses), 5)
        self.act(world, report, "--condition", "--apply")
        self.assertEqual(len(world.statuses), 5, "who has been told already is told again")
        self.assertEqual(world.events, [])

    def test_a_condition_keeps_its_time_until_its_status_changes(self):
        world = World(nodes=[node("a")])
        times = []
        for number, kind in enumerate(("pass", "warn", "fail", "pass")):
            report = self.report(a=kind)
            document = json.loads(report.read_text()) | {"made": f"{time.strftime('%Y-%m-%dT%H:%M:', time.gmtime(time.time() - 600))}0{number}Z"}
            report.write_text(json.dumps(document))
            self.act(world, report, "--condition", "--apply", "--most", "1")
            times.append((self.fit(world, "a")[0], self.fit(world, "a")[2][-3:-1]))
        self.assertEqual(times, [("True", "00"), ("True", "00"), ("False", "02"), ("True", "03")])

    def test_a_condition_that_nobody_renews_becomes_unknown(self):
        report = self.report(a="pass")
        world = World(nodes=[node("a"), node("gone"), node("marked", marked=True)])
        for name, status in (("gone", "True"), ("marked", "False")):
            self.of(world, name)["status"] = {"conditions": [
                {"type": "MusterFit", "status": status, "reason": "Passed", "lastHeartbeatTime": "2026-01-01T00:00:00Z"}]}
        self.act(world, report, "--condition", "--apply")
        self.assertEqual([self.fit(world, name)[0] for name in ("a", "gone", "marked")], ["True", "Unknown", "False"])
        self.of(world, "a")["status"]["conditions"][0]["lastHeartbeatTime"] = "2026-01-01T00:00:00Z"
        report.write_text(json.dumps(json.loads(report.read_text()) | {"made": "2026-01-01T00:00:00Z"}))
        run = Started(self, world, "act", report, "--condition", "--apply").end()
        self.assertEqual((run.process.returncode, self.fit(world, "a")[:2]), (2, ("Unknown", "Outdated")), run.error)
        self.assertIn("a: tells that MusterFit is Unknown (its last test was at 2026-01-01T00:00:00Z, more than 24 h ago)", run.out)
        self.assertEqual(world.patches, [])

    def test_no_condition_accuses_more_nodes_than_may_be_marked(self):
        names = [f"gpu-{number}" for number in range(10)]
        report = self.report(**dict.fromkeys(names[1:], "fail"), **{names[0]: "pass"})
        world = World(nodes=[node(name) for name in names])
        self.act(world, report, "--condition", "--events", "--apply", code=3)
        self.assertEqual([self.fit(world, name) and self.fit(world, name)[0] for name in names], ["True", *[None] * 9])
        self.assertEqual(world.events, [])

    def test_an_event_tells_each_change_of_a_mark_once(self):
        report = self.report(bad="fail", healed="pass", good="pass")
        run_id = json.loads(report.read_text())["run_id"]
        world = World(nodes=[node("bad"), node("healed", marked=True), node("good")], trouble=lambda path, _: None)
        for each in world.nodes.values():
            each["metadata"]["uid"] = f"uid of {each['metadata']['name']}"
        self.act(world, report, "--events", "--apply")
        self.act(world, report, "--events", "--apply")
        told = [(each["type"], each["reason"], each["involvedObject"]["name"], each["involvedObject"]["uid"], each["message"])
                for each in world.events]
        self.assertEqual(sorted(told), [("Normal", "MusterFit", "healed", "uid of healed", "it passed again"),
                                        ("Warning", "MusterUnfit", "bad", "uid of bad", "ib_link.state: the link is DOWN")])
        for each in world.events:
            self.assertRegex(each["metadata"]["name"], rf"^(bad|healed)\.muster(un)?fit-{run_id}$")
            self.assertEqual(each["metadata"]["namespace"], "default")
        self.of(world, "bad")["metadata"]["labels"].pop("muster/unfit")  # as where the mark is taken off by hand
        self.act(world, report, "--events", "--apply")
        self.assertEqual(len(world.events), 2)

    def test_a_gate_opens_for_nodes_that_passed_alone(self):
        gate = {"key": "muster/untested", "effect": "NoSchedule"}
        report = self.report(good="pass", bad="fail", odd="unknown", hmm="warn", missing=["gone"])
        names = ("good", "bad", "odd", "hmm", "gone", "foreign")
        world = World(nodes=[node(name, taints=[FOREIGN, gate]) for name in names])
        said = self.act(world, report, "--gate", "muster/untested", "--events", "--apply")
        self.assertIn("good: takes muster/untested off\n", said)
        opened = {name for name in names if gate not in self.of(world, name)["spec"]["taints"]}
        self.assertEqual(opened, {"good", "hmm"})
        self.assertTrue(all(FOREIGN in self.of(world, name)["spec"]["taints"] for name in names))
        self.assertEqual({each["involvedObject"]["name"] for each in world.events}, {"good", "hmm", "bad"})

    def test_bad_options(self):
        report = self.report(bad="fail")
        (self.folder / "none").mkdir()
        (self.folder / "cut.json").write_text('{"schema": 1')
        for words, said in (((), "REPORT"), (("nowhere.json",), "nowhere.json"), (("cut.json",), "cut.json"), (("none",), "none: no report"), ((report, "--oldest", "0"), "--oldest"),
                            ((report, "--most", "-1"), "--most"),
                            *(((report, "--gate", wrong), "--gate") for wrong in ("", "muster/unfit", "a/b/c", "a b", "node.kubernetes.io/x", "/x")),
                            ((report, "--most-share", "2"), "--most-share"), ((report, "--effect", "Evict"), "--effect"),
                            ((report,), "KUBERNETES_SERVICE_HOST")):
            with self.subTest(words):
                expect_refused(self, muster("fleet", "act", *words, folder=self.folder), said)


if __name__ == "__main__":
    main()

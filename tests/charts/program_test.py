# SPDX-License-Identifier: Apache-2.0
"""The words that the chart gives to containers are words that the built programs know."""
import json
import os
import pathlib
import re
import sys
import tempfile
import unittest

sys.path[:0] = [os.path.dirname(os.path.abspath(__file__)), os.path.join(os.environ["MUSTER_SOURCE"], "tests/support")]
from chart import CHART, HEALTHCHECK, LABELER, SCRATCH, render, render_all, schema  # noqa: E402
from healthcheck_values import GATES, LISTENERS, NO_GATES, WITH_ACT  # noqa: E402
from muster import BIN, muster, report  # noqa: E402

CHECKS = ("allreduce", "host_allreduce")
EVERY_WORD = {"interface": "eth0", "topologyFile": "ndv5-topo.xml", "sizes": {"min": 8, "max": "1M", "factor": 2},
              "checkArguments": ["--in-place", "--split", "node"]}


def words(made, pod):
    container, = made.pods[pod]["spec"]["containers"]
    return container["args"]


def options(given):
    return {word for word in given if re.match(r"-[a-z-]", word)}


class Program(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.addCleanup(self.place.cleanup)
        self.folder = pathlib.Path(self.place.name)

    def help(self, *command):
        run = muster(*command, "--help", folder=self.folder)
        self.assertEqual(run.returncode, 0, run.stderr)
        return run.stdout

    def expect_known(self, given, *command):
        known = set(re.findall(r"(?<![\w-])--?[a-z][a-z-]*", self.help(*command)))
        self.assertTrue(options(given))
        self.assertEqual(options(given) - known, set())

    def test_the_launcher_and_the_check_know_their_words(self):
        for values in ({"gpusPerNode": 0}, {"gpusPerNode": 8}, {"launcher": "job", "numNodes": 1}):
            with self.subTest(values):
                given = words(render(EVERY_WORD | values), "launcher")
                check = next(at for at, word in enumerate(given) if word in CHECKS)
                self.assertEqual(given[0], "launch")
                self.expect_known(given[1:check], "launch")
                self.expect_known(given[check + 1:], "host_allreduce")  # both checks have the same options of collectives

    def test_the_worker_and_its_probe_know_their_words(self):
        made = render({"gpusPerNode": 0})
        self.assertEqual(words(made, "worker")[0], "worker")
        self.expect_known(words(made, "worker"), "worker")
        probe = made.pods["worker"]["spec"]["containers"][0]["startupProbe"]["exec"]["command"]
        self.assertEqual(probe[:2], ["muster", "probe"])
        self.expect_known(probe, "probe")

    @unittest.skipUnless((BIN / "muster-fleet").exists(), "needs libcurl and simdjson")
    def test_the_test_knows_its_words(self):
        given = render({"gpusPerNode": 0}).of_kind("Pod")["spec"]["containers"][0]["args"]
        self.assertEqual(given[:2], ["fleet", "verdict"])
        self.expect_known(given, "fleet", "verdict")

    @unittest.skipUnless((BIN / "muster-fleet").exists(), "needs libcurl and simdjson")
    def test_the_labeler_knows_its_words(self):
        given = render(chart=LABELER).of_kind("DaemonSet")["spec"]["template"]["spec"]["containers"][0]["args"]
        self.assertEqual(given[:2], ["fleet", "label"])
        self.expect_known(given, "fleet", "label")

    @unittest.skipUnless((BIN / "muster-scratch").exists(), "needs libblkid")
    def test_the_scratch_and_its_probe_know_their_words(self):
        for dry_run in (True, False):
            container, = render({"dryRun": dry_run, "drives": 8}, chart=SCRATCH).of_kind("DaemonSet")["spec"]["template"]["spec"]["containers"]
            probes = [] if dry_run else [container["readinessProbe"]["exec"]["command"][1:]]
            for given in (container["args"], *probes):
                self.assertEqual(given[0], "scratch")
                self.expect_known(given, "scratch")

    @unittest.skipUnless((BIN / "muster-fleet").exists(), "needs libcurl and simdjson")
    def test_the_night_and_the_pods_of_nodes_know_their_words(self):
        made = render({"schedule": "", "nodes": {"selector": {"a": "b"}, "expected": "c"}, "only": ["limits"], "skip": ["cpu"]}, chart=HEALTHCHECK)
        given = made.of_kind("Job")["spec"]["template"]["spec"]["containers"][0]["args"]
        self.assertEqual(given[:2], ["fleet", "night"])
        self.expect_known(given, "fleet", "night")
        pod = json.loads(made.of_kind("ConfigMap")["data"]["pod.json"])
        given = pod["spec"]["containers"][0]["args"]
        self.assertEqual(given[0], "node")
        self.expect_known(given, "node")

    @unittest.skipUnless((BIN / "muster-fleet").exists(), "needs libcurl and simdjson")
    def test_what_marks_nodes_knows_its_words(self):
        made = render(WITH_ACT | {"act": LISTENERS | {"apply": True, "gate": "muster/untested"}}, chart=HEALTHCHECK)
        spec, = [job["spec"]["jobTemplate"]["spec"] for name, job in made.named("CronJob").items() if name.endswith("-act")]
        given = spec["template"]["spec"]["containers"][0]["args"]
        self.assertEqual(given[:2], ["fleet", "act"])
        self.expect_known(given, "fleet", "act")

    @unittest.skipUnless((BIN / "muster-fleet").exists(), "needs libcurl and simdjson")
    def test_what_tells_a_listener_knows_its_words(self):
        keys = {"url": "url", "key": "key", "headers": "headers", "ca": "ca"}
        made = render({"notify": {"schedule": "@daily", "secret": "chat", "secretKeys": keys, "template": "slack", "source": "/here", "redact": True},
                       "results": {"claim": "own"}}, chart=HEALTHCHECK)
        spec, = [job["spec"]["jobTemplate"]["spec"] for name, job in made.named("CronJob").items() if name.endswith("-notify")]
        given = spec["template"]["spec"]["containers"][0]["args"]
        self.assertEqual(given[:2], ["fleet", "tell"])
        self.expect_known(given, "fleet", "tell")

    def test_the_schema_takes_the_gates_that_the_program_takes(self):
        (self.folder / "reports").mkdir()
        muster("fleet", "collect", "reports", "--nodes", "a", "--report", "fleet.json", folder=self.folder)
        gates = (*GATES, *NO_GATES)
        rendered = render_all([WITH_ACT | {"act": LISTENERS | {"gate": gate}} for gate in gates], chart=HEALTHCHECK)
        for gate, (_, made) in zip(gates, rendered):
            with self.subTest(gate):
                run = muster("fleet", "act", "fleet.json", "--gate", gate, folder=self.folder)
                self.assertEqual((made.code == 0, "--gate" not in run.stderr), (gate in GATES,) * 2, made.problem + run.stderr)

    def test_the_schema_has_the_choices_of_the_programs(self):
        for value, command in (("operation", "host_allreduce"), ("tier", "launch")):
            with self.subTest(value):
                choices = re.search(rf"--{value} ([\w|-]+)", self.help(command))[1]
                self.assertEqual(sorted(schema(CHART)["properties"][value]["enum"]), sorted(choices.split("|")))

    def test_what_a_plain_job_runs_gives_a_report_and_a_summary_here(self):
        values = {"launcher": "job", "numNodes": 1, "gpusPerNode": 0, "sizes": {"max": "64K"}, "deadline": 60,
                  "results": {"mountPath": self.place.name}}
        given = words(render(values), "launcher")
        given[given.index("--summary") + 1] = "summary.json"
        run = muster(*given, folder=self.folder)
        document = report(self.folder, "allreduce-1.json")
        self.assertEqual(run.returncode, {"pass": 0, "warn": 0, "fail": 1, "unknown": 3, "skip": 3}[document["status"]], run.stderr)
        self.assertEqual(document["checks"][0]["check"], "host_allreduce")
        ranks = [fact["value"]["value"] for fact in document["checks"][0]["measurements"] if fact["metric"] == "host_allreduce.ranks"]
        self.assertEqual(ranks, [2], run.stderr)
        self.assertTrue((self.folder / "summary.json").stat().st_size)


if __name__ == "__main__":
    unittest.main()

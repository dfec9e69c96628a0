# SPDX-License-Identifier: Apache-2.0
"""A real node-problem-detector in a cluster, with the plugin of healthcheck/deploy: it tells what the newest report of a healthy, a
failing and an untested node says, takes it back, and touches no other condition."""
import contextlib
import json
import subprocess

from cluster import PLACE
from listeners import SOURCE, TESTED, Listeners, main, now, report

PLUGIN = SOURCE / "healthcheck/deploy/node-problem-detector"


class NodeProblem(Listeners):
    @contextlib.contextmanager
    def detector(self, name, port):
        """That of a node, with the plugin as it comes but for its place, its report and its interval."""
        made = json.loads((PLUGIN / "muster-problem.json").read_text())
        made["pluginConfig"]["invoke_interval"] = "1s"
        made["rules"][0] |= {"path": str(PLUGIN / "muster-problem.sh"), "args": ["26", str(self.place / f"newest-{name}.json")]}
        file = self.place / f"detector-{name}.json"
        file.write_text(json.dumps(made))
        program = subprocess.run([PLACE / "build.sh", "node_problem_detector"], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
        words = [f"{program}/bin/node-problem-detector", f"--config.custom-plugin-monitor={file}", f"--hostname-override={name}", "--v=2",
                 f"--apiserver-override={self.server}?inClusterConfig=false&auth={self.kubeconfig('npd')}", "--prometheus-port=0", f"--port={port}"]
        with open(self.place / f"detector-{name}.log", "wb") as log, self.cluster.background(*words, stdout=log, stderr=log):
            yield

    def newest(self, name, text):
        """The report that a run would leave, in the place of the one before."""
        new = self.place / "new.json"
        new.write_text(text)
        new.rename(self.place / f"newest-{name}.json")

    def problem(self, name):
        found = self.conditions(name).get("MusterProblem")
        return found and (found["status"], found["reason"], found["message"])

    def expect_problem(self, **wanted):
        with contextlib.suppress(AssertionError):
            self.cluster.wait(30, lambda: {name: self.problem(name) for name in wanted} == wanted)
        self.assertEqual({name: self.problem(name) for name in wanted}, wanted,
                         [(self.place / f"detector-{name}.log").read_text()[-2000:] for name in wanted])

    def test_a_real_node_problem_detector_tells_what_the_newest_report_says(self):
        self.cluster.kubectl("create", "serviceaccount", "npd")
        self.cluster.kubectl("create", "clusterrolebinding", "npd", "--clusterrole=system:node-problem-detector", "--serviceaccount=default:npd")
        before, fit = self.others(), self.fit()
        good = ("False", "NoProblemKnown", "the newest report of muster is good")

        def culprit(sentence):
            return json.dumps(json.loads(report("fail", "failing")) | {"summary": f"1 check failed; worst: {sentence}"}, indent=2, ensure_ascii=False)

        def unknown(words):
            return ("True", "NotKnownFit", words[:80])

        self.newest("healthy", report("pass", "healthy"))
        self.newest("failing", culprit(f"ib_link.state of host failing, nic mlx5_3: {'é' * 60}"))
        missing_report = f"unknown: there is no report that can be read: {self.place}/newest-untested.json"
        with contextlib.ExitStack() as stack:
            for port, name in enumerate(TESTED, 20300):
                stack.enter_context(self.detector(name, port))
            self.expect_problem(healthy=good, failing=("True", "NotKnownFit", f"ib_link.state of nic mlx5_3: {'é' * 24}…"))
            self.cluster.wait(30, lambda: self.problem("untested"))
            status, reason, message = self.problem("untested")
            self.assertEqual((status, reason), unknown("")[:2])
            self.assertTrue(missing_report.startswith(message.removesuffix("…")), message)
            self.assertIsNone(self.problem("stranger"))
            # Each verdict becomes another one: a second culprit, good, and one that is too old.
            self.newest("failing", culprit("kernel_log.xid of host failing, gpu 3: XID 79"))
            self.newest("untested", report("pass", "untested"))
            self.expect_problem(failing=("True", "NotKnownFit", "kernel_log.xid of gpu 3: XID 79"), untested=good)
            self.newest("failing", report("pass", "failing"))
            self.newest("untested", json.dumps(json.loads(report("pass", "untested")) | {"started": now(hours=27)}, indent=2))
            self.expect_problem(failing=good, healthy=good)
            self.cluster.wait(30, lambda: self.problem("untested")[2].startswith("unknown: the newest report is older than 26 h"))
        self.assertEqual((self.others(), self.fit()), (before, fit))
        self.assertEqual(self.problem("untested")[0], "True")  # of one that has ended nobody takes it back


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
"""`muster fleet verdict` before an API server that works, is in trouble, refuses or lies: exit code, sentence and seconds."""
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
import unittest

sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/support"))
sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/rigs"))
from api_server import PODS, Authority, World, status  # noqa: E402
from beside import each  # noqa: E402
from fleet import LOADED, NO_PROXY, Fleet, Run, core_job, ended, job, main, pod  # noqa: E402
from muster import BIN, SOURCE, expect_refused, muster  # noqa: E402
from schema import Schema  # noqa: E402

SUMMARY = Schema(SOURCE / "results/summary.schema.json")
LAUNCHER = "allreduce-1-launcher-0"


def summary(word):
    return json.dumps({
        "schema": 1, "tool": {"name": "muster", "version": "0.1.0"}, "run_id": "b0f7", "started": "2026-11-25T18:30:00Z",
        "host": LAUNCHER, "host_count": 2, "profile": "generic", "status": word, "summary": f"2 hosts: {word}",
        "report": {"path": "muster-report.json", "sha256": "a" * 64}, "problems": [], "omitted": 0}) + "\n"


def launcher(word, code):
    return pod(LAUNCHER, "Failed" if code else "Succeeded", ended(code, summary(word)))


RUNNING = {"running": {"startedAt": "2026-11-25T18:30:00Z"}}
GOOD = {"job": job("Completed"), "launchers": [launcher("pass", 0)]}
STILL = {"job": job("Running"), "launchers": [pod(LAUNCHER, "Running", RUNNING)]}


def waiting(reason, message):
    return pod("allreduce-1-worker-0", "Pending", {"waiting": {"reason": reason, "message": message}})


class Verdict(Fleet):
    def test_the_launchers_verdict_is_the_exit_code(self):
        def check(word, code, phase):
            SUMMARY.validate(json.loads(summary(word)))
            run = Run(self, World(job=job(phase), launchers=[launcher(word, code)]))
            self.says(run, code, f"{word}: 2 hosts: {word}", out=summary(word))

        each(self, check, [(word, code, phase)
                           for word, code in (("pass", 0), ("warn", 0), ("fail", 1), ("unknown", 3), ("skip", 3))
                           for phase in ("Completed", "Terminating")])  # for ever, when a node has died

    def test_a_job_of_kubernetes_itself(self):
        done = core_job({"type": "Complete"})
        self.says(Run(self, World(job=done, launchers=[launcher("fail", 1)], core=True), "--kind", "job"), 1, out=summary("fail"))
        failed = core_job({"type": "Failed", "reason": "DeadlineExceeded", "message": "Job was active too long"})
        self.says(Run(self, World(job=failed, core=True), "--kind", "job"), 3, "DeadlineExceeded: Job was active too long")

    def test_what_is_no_summary_is_unknown(self):
        def check(message):
            run = Run(self, World(job=job("Completed"), launchers=[pod(LAUNCHER, "Succeeded", ended(0, message, "Completed"))]))
            self.says(run, 3, LAUNCHER, "ended without a verdict")

        each(self, check, [summary("pass")[:100], summary("pass").replace('"schema": 1', '"schema": 2'), "pass", "{}", "",
                           summary("pass").replace("2 hosts", "2 hosts" + "x" * 4096)])
        self.says(Run(self, World(job=job("Running"), launchers=[pod(LAUNCHER, "Failed", ended(137, "", "OOMKilled"))],
                                  workers=[pod("allreduce-1-worker-1", "Failed", ended(9))])),
                  3, "OOMKilled, exit code 137", "allreduce-1-worker-1 failed")

    def test_of_a_summary_whose_end_was_cut_off_the_verdict_stays(self):
        for state, code in ("fail", 1), ("pass", 0):
            message = summary(state)[:-30]
            run = Run(self, World(job=job("Completed"), launchers=[pod(LAUNCHER, "Succeeded", ended(code, message, "Completed"))]))
            self.says(run, code, f"{state}: ", "the rest of its summary was cut off")

    def test_a_job_that_ended_without_a_launcher(self):
        self.says(Run(self, World(job=job("Terminated", reason="PodFailed", message="worker lost"))), 3,
                  "job allreduce-1 is Terminated: PodFailed: worker lost", "no launcher pod", least=5, most=5 + LOADED)

    def test_a_job_that_was_withdrawn(self):
        words = "muster fleet withdraw: not started after 20 s and withdrawn: it has no node"
        def check(seconds):
            world = World(job=job("Terminated"), withdraws=lambda now, after=seconds: [
                pod("allreduce-1-withdraw-x7v2p", "Succeeded", ended(0, "allreduce-1 is Terminated")),
                pod("allreduce-1-withdraw-9z4hk", "Failed", ended(1, f"{words}\n"))] if now >= after else [])
            self.says(Run(self, world), 3, f"job allreduce-1 is Terminated; {words}", least=seconds, most=seconds + LOADED)

        each(self, check, [0, 3])  # the word of its end may come later than the end
        world = World(**GOOD, withdraws=[pod("allreduce-1-withdraw-9z4hk", "Failed", ended(1, words))])
        self.says(Run(self, world), 0, "pass", out=summary("pass"))

    def test_a_job_and_a_launcher_that_come_late(self):
        world = World(job=lambda seconds: job("Completed" if seconds > 4 else "Pending") if seconds > 2 else None,
                      launchers=lambda seconds: [launcher("pass", 0)] if seconds > 4 else [])
        self.says(Run(self, world), 0, "pass", least=4, most=4 + LOADED, out=summary("pass"))

    def test_pods_of_a_job_before_it_are_not_its_own(self):
        old = launcher("pass", 0)
        old["metadata"]["ownerReferences"][0]["uid"] = "another"
        self.says(Run(self, World(job=job("Running"), launchers=[old]), wait=3), 3, "no launcher pod", least=3)

    def test_a_server_in_trouble_is_asked_again(self):
        def check(trouble):
            world = World(**GOOD, trouble=lambda path, number: trouble if number in (1, 3) else None)
            self.says(Run(self, world), 0, "pass", out=summary("pass"))

        each(self, check, [500, 503, 429, "cut", "reset", ((200, "{}"),), ((200, "<html>"),)])

    def test_a_server_that_stays_in_trouble_is_named_at_the_deadline(self):
        def check(trouble, word):
            run = Run(self, World(**GOOD, trouble=lambda path, number: trouble), wait=3)
            self.says(run, 3, "no verdict within 3 s", word, least=3, most=3 + LOADED)

        each(self, check, [(500, "answers 500: trouble 500"), ("cut", "does not answer"), ("reset", "does not answer"),
                           ("hang", "does not answer"), ((200, "[]"), "answered no Job")])

    def test_a_question_without_time_for_an_answer_tells_nothing(self):
        world = World(**GOOD, trouble=lambda path, number: 503 if number < 3 else "hang")
        self.says(Run(self, world, wait=3), 3, "no verdict within 3 s", "answers 503", least=3, most=3 + LOADED)

    def test_an_answer_without_end_is_not_kept(self):
        run = Run(self, World(**GOOD, trouble=lambda path, number: "huge"), wait=12)
        self.says(run, 3, "more than 16 MiB", most=12 + LOADED)
        self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, 100 * 1024)

    def test_what_was_seen_before_the_trouble_is_told(self):
        world = World(**STILL, trouble=lambda path, number: 503 if number > 4 else None)
        self.says(Run(self, world, wait=5), 3, "answers 503", "last seen", f"{LAUNCHER} on node node1 still runs", most=5 + LOADED)

    def test_waits_that_end_by_themselves(self):
        denied = 'pods is forbidden: User "a" cannot list resource "pods" in API group "" in the namespace "bench"'
        never = waiting("ErrImageNeverPull", "Container image is not present with pull policy of Never")
        gang = {"kind": "PodGroup", "status": {"phase": "Pending", "conditions": [
            {"type": "Unschedulable", "status": "True", "message": "2/2 tasks in gang unschedulable"}]}}
        many = [pod(f"allreduce-1-worker-{index}", "Running", RUNNING) for index in range(7)]
        cases = [
            (World(), {}, ["there is no job allreduce-1 in namespace bench"], 10),
            (World(job=lambda seconds: job("Pending") if seconds < 2 else None), {}, ["no job", "any more"], 12),
            (World(**GOOD, trouble=lambda path, number: (403, status(403, denied)) if path == PODS else None), {}, [denied], 10),
            (World(**GOOD, trouble=lambda path, number: (404, "404 page not found\n")), {}, ["is Volcano installed?"], 10),
            (World(**GOOD, trouble=lambda path, number: 401), {}, ["refuses the token", str(self.token)], 10),
            (World(**GOOD, trouble=lambda path, number: "redirect"), {}, ["answers 302"], 10),
            (World(job=job("Pending"), workers=[never]), {},
             ["not resolve itself", "allreduce-1-worker-0", "ErrImageNeverPull: Container image", "localhost/muster:test"], 15),
            (World(job=job("Pending"), group=gang), {"wait": 4}, ["no verdict within 4 s", "2/2 tasks in gang unschedulable"], 4),
            (World(job=job("Running"), workers=many, page=2), {"wait": 4}, ["worker-2 is Running and not ready", "and 4 more"], 4),
            (World(job=job("Pending"), group=gang, trouble=lambda path, number: 403 if "podgroups" in path else None),
             {"wait": 4}, ["job allreduce-1 is Pending", "trouble 403"], 4),
        ]

        def check(world, options, words, seconds):
            self.says(Run(self, world, **options), 3, *words, least=seconds, most=seconds + 2 * LOADED)

        each(self, check, cases)

    def test_a_right_that_comes_a_moment_later(self):
        world = World(**GOOD, trouble=lambda path, number: 403 if number < 4 else None)
        self.says(Run(self, world), 0, most=2 + LOADED, out=summary("pass"))

    def test_a_server_that_cannot_be_trusted_is_told_nothing(self):
        other = Authority(self.folder, "other")
        world = World(**GOOD)
        self.says(Run(self, world, ca=other.certificate), 3, "do not trust each other")
        misnamed = self.serve(world, self.authority.sign("misnamed", "DNS:elsewhere.example"))
        self.says(Run(self, world, server=misnamed), 3, "do not trust each other")
        self.assertEqual(world.requests, [])

    def test_a_token_is_read_again(self):
        self.token = self.folder / "read-again"
        self.token.write_text("secret\n")
        world = World(**STILL)
        run = Run(self, world)
        self.asked(world, 4)
        world.token = "renewed"
        self.token.write_text("renewed")
        world.job, world.launchers = GOOD["job"], GOOD["launchers"]
        self.says(run, 0, out=summary("pass"))

    def test_a_certificate_instead_of_a_token(self):
        certificate, key = self.authority.sign("client")
        world = World(**GOOD, token=None)
        server = self.serve(world, clients=self.authority.certificate)
        run = Run(self, world, "--certificate", certificate, "--key", key, server=server)
        self.says(run, 0, out=summary("pass"))

    def test_a_signal_ends_it_with_what_is_known(self):
        def check(trouble, words):
            world = World(**STILL, trouble=lambda path, number: trouble)
            run = Run(self, world)
            self.asked(world, 1 if trouble else 5)
            run.start = time.monotonic()
            run.process.send_signal(signal.SIGTERM)
            self.says(run, 3, "stopped by a signal", *words, most=5)

        each(self, check, [(None, [f"{LAUNCHER} on node node1 still runs"]), ("hang", ["stopped by a signal"])])

    def test_a_verdict_that_cannot_be_printed_is_no_success(self):
        with open("/dev/full", "w", encoding="ascii") as full:
            run = Run(self, World(**GOOD), stdout=full).end()
        self.assertEqual(run.process.returncode, 3, run.error)

    @unittest.skipUnless(os.geteuid() == 0 and shutil.which("unshare"), "mounting needs root")
    def test_in_a_pod_nothing_is_to_be_said(self):
        server = self.serve(World(**GOOD))
        account = "/run/secrets/kubernetes.io/serviceaccount"
        script = (f"mount -t tmpfs none /run && mkdir -p {account} && cp ca.crt token {account} &&"
                  f' printf bench >{account}/namespace && exec "$0" fleet verdict --job allreduce-1 --wait 20')
        environment = {**NO_PROXY, "KUBERNETES_SERVICE_HOST": "127.0.0.1", "KUBERNETES_SERVICE_PORT": server.url.split(":")[-1]}
        run = subprocess.run(["unshare", "--mount", "sh", "-c", script, BIN / "muster"], cwd=self.folder, env=environment,
                             capture_output=True, text=True, check=False)
        self.assertEqual((run.returncode, run.stdout), (0, summary("pass")), run.stderr)

    def test_bad_options(self):
        nothing = {key: value for key, value in os.environ.items() if not key.startswith("KUBERNETES_")}
        address = ("--server", "https://127.0.0.1:9")
        for options, words in (((), ["--job is missing"]), (("--job", "a"), ["KUBERNETES_SERVICE_HOST"]),
                               (("--job", "a/../b", *address), ["--job", "a/../b"]), (("--job", "A", *address), ["--job", "'A'"]),
                               (("--job", "a", "--namespace", "b?c", *address), ["--namespace", "b?c"]),
                               (("--job", "a", "--kind", "pod", *address), ["--kind", "pod"]),
                               (("--job", "a", "--wait", "0", *address), ["--wait"]),
                               (("--job", "a", "--wait", "long", *address), ["--wait", "long"]),
                               (("--job", "a", "--server", "http://127.0.0.1:8001"), ["--server", "http://127.0.0.1:8001"]),
                               (("--job", "a", "--server", "https://"), ["--server"]),
                               (("--job", "a", "--token", "none", *address), ["none"]),
                               (("--job", "a", "--ca", "none.crt", *address), ["none.crt"]),
                               (("--job", "a", "--key", "none.key", *address), ["--certificate"]),
                               (("--jib", "a"), ["--jib"])):
            with self.subTest(options):
                run = muster("fleet", "verdict", *options, folder=self.folder, env=nothing)
                expect_refused(self, run, *words)
        run = muster("fleet", "verdit", folder=self.folder)
        self.assertEqual(run.returncode, 2)
        self.assertIn("Did you mean 'verdict'?", run.stderr)

    def test_muster_lists_them(self):
        self.assertIn("\n  fleet  ", muster("--help", folder=self.folder).stdout)
        for command in ("verdict", "withdraw"):
            self.assertIn(f"\n  {command}  ", muster("fleet", "--help", folder=self.folder).stdout)


if __name__ == "__main__":
    main()

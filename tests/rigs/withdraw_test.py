# SPDX-License-Identifier: Apache-2.0
"""`muster fleet withdraw` before an API server: exit code, sentence, seconds, and what Volcano is told."""
import os
import signal
import sys

sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/support"))
sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/rigs"))
from api_server import COMMANDS, UID, World  # noqa: E402
from beside import each  # noqa: E402
from fleet import LOADED, Fleet, Run, job, main  # noqa: E402
from muster import expect_refused, muster  # noqa: E402


class Withdraw(Fleet):
    """`muster fleet withdraw`, which gives one command or none."""

    GANG = {"kind": "PodGroup", "status": {"phase": "Pending", "conditions": [
        {"type": "Unschedulable", "status": "True", "message": "2/2 tasks in gang unschedulable"}]}}

    def run_it(self, world, after=2):
        return Run(self, world, wait=after, command=("withdraw", "--after"))

    def expect_withdrawn(self, world):
        command, = world.commands
        self.assertEqual((command["kind"], command["action"]), ("Command", "TerminateJob"))
        self.assertEqual({key: command["target"][key] for key in ("kind", "name", "uid")},
                         {"kind": "Job", "name": "allreduce-1", "uid": UID})
        self.assertEqual(command["metadata"]["ownerReferences"], [command["target"]])

    def test_a_job_that_starts_is_left_alone(self):
        def check(sentence, state):
            world = World(job=state)
            self.says(self.run_it(world, 20), 0, sentence, least=1)
            self.assertEqual(world.commands, [])

        each(self, check, [
            *((f"job allreduce-1 is {phase}", lambda seconds, then=phase: job(then if seconds > 1 else "Pending"))
              for phase in ("Running", "Completing", "Completed", "Terminated")),
            ("there is no job allreduce-1 in namespace bench any more", lambda seconds: job("Pending") if seconds < 2 else None)])

    def test_one_that_does_not_is_withdrawn_with_the_reason(self):
        def check(world, least, *words):
            self.says(self.run_it(world), 1, *words, least=least)
            self.expect_withdrawn(world)

        each(self, check, [
            *((World(job=job(phase), group=self.GANG), 2, "not started after 2 s and withdrawn", "2/2 tasks in gang unschedulable")
              for phase in ("Pending", "")),
            (World(job=lambda seconds: job("Pending") if seconds > 3 else None), 3, "withdrawn")])  # Helm makes it a moment later

    def test_one_command_is_enough(self):
        world = World(job=job("Pending"))
        for _ in range(2):
            self.says(self.run_it(world), 1, "withdrawn")
        self.expect_withdrawn(world)

    def test_a_command_that_is_refused_is_given_again(self):
        def check(trouble):
            tried = []

            def refuse(path, _):
                tried.extend([path] if path == COMMANDS else [])
                return trouble if path == COMMANDS and len(tried) < 3 else None

            world = World(job=job("Pending"), trouble=refuse)
            self.says(self.run_it(world), 1, "withdrawn", least=3, most=4 + LOADED)
            self.expect_withdrawn(world)
            self.assertEqual(len(tried), 3)

        each(self, check, [403, 500, 404, "cut"])

    def test_a_signal_ends_it(self):
        world = World(job=job("Pending"))
        run = self.run_it(world, 60)
        self.asked(world, 3)
        run.process.send_signal(signal.SIGTERM)
        self.says(run, 3, "stopped by a signal: job allreduce-1 is Pending")
        self.assertEqual(world.commands, [])

    def test_bad_options(self):
        for options, word in (((), "--job is missing"), (("--job", "a", "--after", "0"), "--after"),
                              (("--job", "A", "--server", "https://127.0.0.1:9"), "'A'")):
            expect_refused(self, muster("fleet", "withdraw", *options, folder=self.folder), word)


if __name__ == "__main__":
    main()

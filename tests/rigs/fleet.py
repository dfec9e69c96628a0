# SPDX-License-Identifier: Apache-2.0
"""What tests of `muster fleet` share: objects of Kubernetes, and the program before an API server that serves them."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/support"))
import beside  # noqa: E402
from api_server import UID, Authority, Server  # noqa: E402
from muster import BIN  # noqa: E402

LOADED = 8  # seconds that a busy machine may add
NO_PROXY = {**os.environ, "https_proxy": "http://127.0.0.1:9", "HTTPS_PROXY": "http://127.0.0.1:9"}


def main():
    if not (BIN / "muster-fleet").exists() or not shutil.which("openssl"):
        print("skipped: needs libcurl, simdjson and openssl")
        sys.exit(77)
    beside.main()


def job(phase, **state):
    return {"kind": "Job", "apiVersion": "batch.volcano.sh/v1alpha1", "metadata": {"name": "allreduce-1", "uid": UID},
            "spec": {"minAvailable": 2}, "status": {"state": {"phase": phase, **state}}}


def core_job(*conditions):
    return {"kind": "Job", "apiVersion": "batch/v1", "metadata": {"name": "allreduce-1", "uid": UID},
            "spec": {"selector": {"matchLabels": {"batch.kubernetes.io/controller-uid": UID}}},
            "status": {"conditions": [{"status": "True", **condition} for condition in conditions]}}


def pod(name, phase, state, owner=UID, **more):
    return {"metadata": {"name": name, "creationTimestamp": "2026-11-25T18:30:00Z",
                         "ownerReferences": [{"kind": "Job", "uid": owner, "controller": True}]},
            "spec": {"nodeName": "node1"},
            "status": {"phase": phase, "conditions": [{"type": "Ready", "status": "False"}],
                       "containerStatuses": [{"name": "muster", "image": "localhost/muster:test", "ready": False,
                                              "state": state}], **more}}


def ended(code, message="", reason="Error"):
    return {"terminated": {"exitCode": code, "reason": reason, "message": message}}


class Started:
    """A command of muster-fleet before a world of its own."""

    def __init__(self, test, world, *words, ca=None, server=None, **popen):
        self.server = server or test.serve(world)
        self.start = time.monotonic()
        token = ["--token", test.token] if world.token else []
        words = [BIN / "muster", "fleet", *words, "--server", self.server.url, "--ca", ca or test.authority.certificate, *token]
        popen = {"stdout": subprocess.PIPE, "env": NO_PROXY, **popen}
        self.process = subprocess.Popen([*map(str, words)], stderr=subprocess.PIPE, text=True, stdin=subprocess.DEVNULL, **popen)

    def end(self):
        self.out, self.error = self.process.communicate(timeout=120)
        self.seconds = time.monotonic() - self.start
        return self


class Run(Started):
    """One that is about a job."""

    def __init__(self, test, world, *options, wait=60, command=("verdict", "--wait"), **more):
        given = ["--job", "allreduce-1", "--namespace", "bench", command[1], wait]
        super().__init__(test, world, command[0], *given, *options, **more)


class Fleet(unittest.TestCase):
    """What serves worlds, and looks at what is said of them."""

    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.place.cleanup)
        cls.folder = pathlib.Path(cls.place.name)
        cls.authority = Authority(cls.folder)
        cls.pair = cls.authority.sign("server")
        cls.token = cls.folder / "token"
        cls.token.write_text("secret\n")

    def serve(self, world, pair=None, clients=None):
        server = Server(world, *(pair or self.pair), clients)
        self.addCleanup(server.close)
        return server

    def says(self, run, code, *words, most=LOADED, least=0, out=""):
        """One sentence with these words, and nothing on stdout but `out`."""
        run.end()
        self.assertEqual(run.process.returncode, code, run.error)
        self.assertEqual(run.out, out)
        self.assertEqual(len(run.error.splitlines()), 1, run.error)
        for word in words:
            self.assertIn(word, run.error)
        self.assertLess(run.seconds, most, run.error)
        self.assertGreaterEqual(run.seconds, least, run.error)

    def asked(self, world, often):
        end = time.monotonic() + 30
        while len(world.requests) < often:
            self.assertLess(time.monotonic(), end, world.requests)
            time.sleep(0.05)

# SPDX-License-Identifier: Apache-2.0
"""`muster fleet labels`: JSON of a captured tree, and one sentence for what is wrong with its options."""
import json
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/support"))
from muster import BIN, SOURCE, expect_refused, muster  # noqa: E402


class Labels(unittest.TestCase):
    def labels(self, *options):
        with tempfile.TemporaryDirectory() as folder:
            return muster("fleet", "labels", *options, folder=folder)

    def test_of_a_captured_node(self):
        run = self.labels("--root", SOURCE / "tests/machines/ndv5", "--prefix", "host.example")
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        made = json.loads(run.stdout)
        self.assertEqual(set(made), {"labels", "annotations", "problems"})
        self.assertEqual(made["labels"]["host.example/VirtualMachineName"], "gpu-0017")
        self.assertEqual(made["labels"]["ib/pkey"], "0x8001")
        self.assertEqual(len(made["annotations"]["ib/hca-guids"].split(",")), 8)
        self.assertEqual(made["problems"], [])

    def test_bad_options(self):
        for options, word in ((("--root", "/nowhere"), "/nowhere"), (("--prefix", "a/b"), "'a/b'"), (("--prefix", ""), "--prefix"),
                              (("--perfix", "a"), "--perfix")):
            with self.subTest(options):
                expect_refused(self, self.labels(*options), word)


if __name__ == "__main__":
    if not (BIN / "muster-fleet").exists():
        print("skipped: needs libcurl and simdjson")
        sys.exit(77)
    unittest.main()

# SPDX-License-Identifier: Apache-2.0
"""The pages of 1,000 generated reports, held by axe-core in Chromium, half of them in the dark, html-validate and html5lib."""

import concurrent.futures
import itertools
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/support"))
import generated_reports  # noqa: E402
import web_tools  # noqa: E402
from muster import BIN  # noqa: E402

REPORTS = 1000


def violations(tools, scheme, files):
    """Of those of the pages that have any, in a browser of their own."""
    with tools.browser() as browser:
        page = browser.new_page(color_scheme=scheme, bypass_csp=True)
        found = {}
        for file in files:
            page.goto(file.as_uri())
            found[file.name] = tools.violations(page)
        return {name: wrong for name, wrong in found.items() if wrong}


class GeneratedPages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        place = tempfile.TemporaryDirectory()
        cls.addClassCleanup(place.cleanup)
        cls.folder = pathlib.Path(place.name)
        cls.tools = web_tools.installed(cls.folder)
        cls.pages = [cls.made(seed) for seed in range(REPORTS)]

    @classmethod
    def made(cls, seed):
        source, page = cls.folder / f"{seed}.json", cls.folder / f"{seed}.html"
        source.write_text(json.dumps(generated_reports.report(seed)))
        done = subprocess.run([BIN / "muster", "report", source, "--exit-zero", "--also", f"html={page}"], stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True, check=False)
        if done.returncode or done.stderr:
            raise AssertionError(f"report {seed}: {done.returncode}: {done.stderr}")
        return page

    def test_validators_find_nothing(self):
        for page in self.pages:
            with self.subTest(page.name, by="html5lib"):
                self.assertEqual(self.tools.parse_errors(page), [])
        self.assertEqual(self.tools.invalid(self.pages), "")

    def test_axe_finds_nothing(self):
        halves = {"light": self.pages[::2], "dark": self.pages[1::2]}
        with concurrent.futures.ProcessPoolExecutor(len(halves)) as pool:
            for found in pool.map(violations, itertools.repeat(self.tools), halves.keys(), halves.values()):
                self.assertEqual(found, {})


if __name__ == "__main__":
    unittest.main()

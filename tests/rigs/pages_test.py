# SPDX-License-Identifier: Apache-2.0
"""The pages of reports in a real browser: `muster report --format html` and `muster fleet summary --format html` of every example,
of a node that has everything, of hostile reports and of 10,000 nodes. axe-core, two validators and the hands of a user judge them.

With MUSTER_SCREENSHOTS=FOLDER the screenshots are kept there, for a person to look at."""

import contextlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/support"))
import page_fleets  # noqa: E402
import page_reports  # noqa: E402
import web_tools  # noqa: E402
from muster import BIN, SOURCE, node  # noqa: E402

EXAMPLES = ("pass", "warn", "fail", "unknown", "skip", "gpu")
NODES = 10_000
MOST_OF_NODE, MOST_OF_FLEET = 400_000, 3_000_000  # bytes
MOST_OF_TASK = 200  # ms that the browser may not answer
MOST_OF_ONE = 0.1  # s of CPU for a node: 0.05 for the page, and as much for reading a megabyte of JSON
MOST_OF_MAKING = 5  # s of CPU for 10,000 nodes
MOST_MEMORY = 300e6  # bytes
SIZES = (1440, 1024, 390)
# Tasks of the page that took long, as the browser counts them.
WATCH = (
    "window.tasks = []; new PerformanceObserver((list) => tasks.push(...list.getEntries().map((each) => each.duration)))"
    ".observe({type: 'longtask', buffered: true})"
)
REST_ON_ALL = """for (const each of document.querySelectorAll('*'))
    each.dispatchEvent(new Event('mouseover', {bubbles: true}))"""
OPEN_ALL = "for (const each of document.querySelectorAll('details')) each.open = true"


def captured(folder):
    """What muster finds in the tree of a machine with eight GPUs."""
    file = folder / "captured.json"
    node("--root", SOURCE / "tests/machines/ndv5", "--tier", "preflight", "--quiet", "--report", file, folder=folder, timeout=300)
    return json.loads(file.read_text())


class Pages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        stack = contextlib.ExitStack()
        cls.addClassCleanup(stack.close)
        cls.folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory()))
        cls.tools = web_tools.installed(cls.folder)
        found = captured(cls.folder)
        cls.nodes = {name: json.loads((SOURCE / f"results/examples/{name}.json").read_text()) for name in EXAMPLES}
        cls.nodes |= {"rich": page_reports.rich(found), "job": page_reports.job(found)}
        cls.nodes |= {f"hostile-{seed}": page_reports.hostile(found, seed) for seed in range(3)}
        cls.fleets = {
            "fleet": page_fleets.fleet(24, bad=0.4),
            "fleet-hostile": page_fleets.hostile_fleet(),
            "fleet-large": page_fleets.fleet(NODES),
        }
        cls.pages = {name: cls.made(name, report, "report") for name, report in cls.nodes.items()}
        cls.pages |= {name: cls.made(name, report, "fleet", "summary") for name, report in cls.fleets.items()}
        cls.browser = stack.enter_context(cls.tools.browser())

    @classmethod
    def made(cls, name, report, *words):
        """The page that this command makes of the report; what it took is in cls.usage."""
        source, page = cls.folder / f"{name}.json", cls.folder / f"{name}.html"
        source.write_text(json.dumps(report))
        with page.open("wb") as out, (cls.folder / "said").open("w+b") as said:
            with subprocess.Popen([BIN / "muster", *words, source, "--format", "html"], stdout=out, stderr=said) as process:
                _, status, cls.usage = os.wait4(process.pid, 0)
                process.returncode = os.waitstatus_to_exitcode(status)
            said.seek(0)
            if process.returncode not in (0, 1, 3):
                raise AssertionError(f"{name}: {process.returncode}: {said.read()}")
        return page

    def opened(self, name, width=1440, scheme="light", with_policy=True):
        page = self.browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme, bypass_csp=not with_policy)
        page.said = []
        page.on("console", lambda message: page.said.append(message.text))
        page.on("pageerror", lambda error: page.said.append(str(error)))
        page.on("request", lambda request: page.said.append(request.url) if not request.url.startswith("file:") else None)
        page.add_init_script(WATCH)
        page.goto(self.pages[name].as_uri())
        self.addCleanup(page.close)
        return page

    def test_pages_are_small(self):
        for name, page in self.pages.items():
            with self.subTest(name):
                self.assertLessEqual(page.stat().st_size, MOST_OF_NODE if name in self.nodes else MOST_OF_FLEET)

    def test_a_node_takes_milliseconds(self):
        """All of `muster report`, which reads the report, too."""
        took = []
        for _ in range(5):
            self.made("rich", self.nodes["rich"], "report")
            took.append(self.usage.ru_utime + self.usage.ru_stime)
        self.assertLessEqual(min(took), MOST_OF_ONE)

    def test_ten_thousand_nodes_take_seconds(self):
        self.made("fleet-large", self.fleets["fleet-large"], "fleet", "summary")
        self.assertLessEqual(self.usage.ru_utime + self.usage.ru_stime, MOST_OF_MAKING)
        self.assertLessEqual(self.usage.ru_maxrss * 1024, MOST_MEMORY)

    def test_validators_find_nothing(self):
        for name, page in self.pages.items():
            if name != "fleet-large":  # which has the markup of fleet, and would take html5lib a minute
                with self.subTest(name, by="html5lib"):
                    self.assertEqual(self.tools.parse_errors(page), [])
        self.assertEqual(self.tools.invalid(self.pages.values()), "")

    def test_axe_finds_nothing(self):
        for name in self.pages:
            for scheme in ("light", "dark") if not name.startswith("hostile") else ("light",):
                with self.subTest(name, scheme=scheme):
                    page = self.opened(name, scheme=scheme, with_policy=False)
                    if name != "fleet-large" and not name.startswith("hostile"):
                        page.evaluate(OPEN_ALL)
                    self.assertEqual(self.tools.violations(page), [])

    def test_nothing_of_an_attacker_runs_and_nothing_is_loaded(self):
        for name in self.pages:
            with self.subTest(name):
                page = self.opened(name)
                if name in ("hostile-0", "fleet-hostile"):
                    page.evaluate(REST_ON_ALL)
                self.assertIsNone(page.evaluate("window.hacked ?? null"))
                self.assertEqual(page.said, [])

    def test_no_page_is_wider_than_its_window(self):
        for name in self.pages:
            for width in SIZES:
                with self.subTest(name, width=width):
                    page = self.opened(name, width)
                    self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth - innerWidth"), 0)
                    for scheme in ("light", "dark"):
                        self.keep(page, f"{name}-{width}-{scheme}", scheme)

    def keep(self, page, name, scheme):
        if folder := os.environ.get("MUSTER_SCREENSHOTS"):
            page.emulate_media(color_scheme=scheme)
            page.screenshot(path=pathlib.Path(folder, f"{name}.png"), full_page=not name.startswith(("hostile", "fleet-large")))

    def test_pages_are_printed(self):
        for name in ("rich", "fleet"):
            with self.subTest(name):
                printed = self.opened(name, scheme="dark").pdf(format="A4")
                self.assertTrue(printed.startswith(b"%PDF-"))
                self.assertGreater(printed.count(b"/Type /Page\n") + printed.count(b"/Type /Page "), 1)

    def shown(self, page, number):
        """Waits until that many nodes are shown."""
        self.tools.expect(page.locator("#count")).to_have_text(f"{number} of {NODES} nodes")

    def test_a_user_finds_nodes_among_ten_thousand(self):
        page = self.opened("fleet-large")
        nodes = self.fleets["fleet-large"]["nodes"]
        names = page.locator("#body button").all_inner_texts
        self.shown(page, NODES)
        self.assertLess(len(names()), 100)  # rows that are not seen are not there
        page.select_option("#state", "f")
        self.shown(page, sum(node["status"] == "fail" and node["coverage"] == "tested" for node in nodes))
        page.select_option("#state", "")
        page.fill("#search", "gpu-00777")
        self.shown(page, 1)
        self.assertEqual(names(), ["gpu-00777"])
        page.fill("#search", "")
        self.shown(page, NODES)
        page.select_option("#order", "name")
        self.assertEqual(names()[0], min(node["name"] for node in nodes))
        page.click("#heads button >> nth=3")  # disk_io: the nodes where it fails come first
        self.assertIn("fail", page.locator("#body tr").first.inner_text())
        page.select_option("#order", "worst")
        page.hover("#body tr >> nth=1")
        self.assertNotIn("Rest on a node", page.locator("#detail").inner_text())
        page.click("#body button >> nth=0")
        self.assertIn(names()[0], page.locator("#detail").inner_text())
        page.evaluate("document.getElementById('scroll').scrollTop = 1e9")
        self.tools.expect(page.locator("#body button").last).to_have_text(nodes[-1]["name"])

    def test_no_task_keeps_a_user_waiting(self):
        """Of three times the best: what else runs on this machine makes tasks longer, and not shorter."""
        longest = []
        for _ in range(3):
            page = self.opened("fleet-large")
            page.fill("#search", "below")
            self.shown(page, sum(bool(node["problems"]) for node in self.fleets["fleet-large"]["nodes"]))
            page.select_option("#state", "w")
            page.click("#heads button >> nth=5")
            page.hover("#body tr >> nth=1")
            longest.append(max(page.evaluate("tasks"), default=0))
        self.assertLessEqual(min(longest), MOST_OF_TASK)

    def test_pictures_are_files(self):
        folder = self.folder / "pictures"
        start = time.monotonic()
        done = subprocess.run(
            [BIN / "muster", "report", self.folder / "rich.json", "--exit-zero", "--pictures", folder],
            capture_output=True,
            text=True,
            check=True,
        )
        self.assertLess(time.monotonic() - start, 60)
        kinds = {file.name.split("-")[0] for file in folder.iterdir()}
        self.assertEqual(kinds, {"machine", "curve", "times", "incidents"}, done.stderr)
        for svg in folder.glob("*.svg"):
            self.assertTrue(svg.with_suffix(".png").read_bytes().startswith(b"\x89PNG"), svg)


if __name__ == "__main__":
    unittest.main()

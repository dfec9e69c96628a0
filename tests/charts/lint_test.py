# SPDX-License-Identifier: Apache-2.0
"""helm lint, the suites of helm-unittest, and the README's table of values."""
import os
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from chart import CHART, HEALTHCHECK, HELM, LABELER, SCRATCH, helm, program  # noqa: E402
from values_table import table  # noqa: E402

HELM_UNITTEST = program("helm-unittest", "MUSTER_HELM_UNITTEST")


# With values that make of each what it can be.
CHARTS = {CHART: ("numNodes=2", "gpusPerNode=0", "launcher=job,numNodes=1"), LABELER: ("restrict=true", "restrict=false"),
          SCRATCH: ("dryRun=true", "dryRun=false,drives=8"),
          HEALTHCHECK: ("gpusPerNode=8", "schedule=,gpusPerNode=0,results.create=true",
                        "act.schedule=@daily,results.claim=own",
                        "act.schedule=@daily,results.claim=own,act.apply=true,act.condition=true,act.events=true,act.gate=a/b",
                        "notify.schedule=@daily,notify.secret=chat,results.claim=own")}


class Lint(unittest.TestCase):
    def test_every_chart_is_here(self):
        self.assertEqual(set(CHART.parent.iterdir()), {*CHARTS, CHART.parent / "aks", CHART.parent / "README.md"})

    def test_helm_finds_nothing_wrong(self):
        for chart, values in ((chart, values) for chart, all_values in CHARTS.items() for values in all_values):
            with self.subTest(values):
                run = helm("lint", "--strict", chart, "--set", values)
                self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
                self.assertNotRegex(run.stdout, "WARNING|ERROR")

    def test_every_suite_passes(self):
        for chart in CHARTS:
            suites = sorted(path.name for path in (chart / "tests").glob("*_test.yaml"))
            self.assertTrue(suites)
            run = subprocess.run([HELM_UNITTEST, "--strict", chart], capture_output=True, text=True, check=False)
            print(run.stdout)
            self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
            for suite in suites:
                self.assertRegex(run.stdout, rf"PASS .*/tests/{suite}")

    def test_what_is_packaged_is_the_chart_alone(self):
        for chart in CHARTS:
            files = {path.name for path in chart.iterdir()}
            self.assertEqual(files, {".helmignore", "Chart.yaml", "README.md", "templates", "tests", "values.schema.json", "values.yaml"})
            self.assertIn("/tests/", (chart / ".helmignore").read_text().splitlines())

    def test_the_readme_has_the_values_of_the_schema(self):
        for chart in CHARTS:
            self.assertTrue((chart / "README.md").read_text().endswith(table(chart)), "tests/charts/values_table.py writes it")


if __name__ == "__main__":
    print(f"helm: {HELM}\nhelm-unittest: {HELM_UNITTEST}", flush=True)
    unittest.main()

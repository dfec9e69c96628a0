# SPDX-License-Identifier: Apache-2.0
"""The dashboard of Grafana: every expression names what muster writes and is one that Prometheus parses, and Grafana's own SDK reads
every field of it. pip and Go's modules bring the SDK and promtool, so the whole of it runs with --all alone."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/support"))
from drawn import IS_WHOLE  # noqa: E402
from fetched import program, wheels  # noqa: E402
from muster import SOURCE  # noqa: E402
from series import written, wrong  # noqa: E402

DASHBOARD = SOURCE / "healthcheck/deploy/grafana/muster.json"
SDK = "grafana-foundation-sdk==1769699379!11.6.0"
# Reads the dashboard by the SDK's types, panels and queries by those of their kinds, and prints it again.
READER = """
import json, sys
from grafana_foundation_sdk.cog.encoder import JSONEncoder
from grafana_foundation_sdk.cog.plugins import register_default_plugins
from grafana_foundation_sdk.models.dashboard import Dashboard
register_default_plugins()
print(JSONEncoder().encode(Dashboard.from_json(json.load(sys.stdin))))
"""


def lost(given, read, where=""):
    """What is in the one and not, or otherwise, in the other."""
    if isinstance(given, dict) and isinstance(read, dict):
        return [each for name, value in given.items() for each in (lost(value, read[name], f"{where}/{name}") if name in read else [f"{where}/{name}"])]
    if isinstance(given, list) and isinstance(read, list) and len(given) == len(read):
        return [each for at, (one, other) in enumerate(zip(given, read)) for each in lost(one, other, f"{where}/{at}")]
    return [] if given == read else [where]


class Grafana(unittest.TestCase):
    def setUp(self):
        self.dashboard = json.loads(DASHBOARD.read_text())
        self.panels = [panel for panel in self.dashboard["panels"] if panel["type"] != "row"]
        self.expressions = [target["expr"] for panel in self.panels for target in panel["targets"]]

    def test_expressions_name_nothing_that_muster_does_not_write(self):
        known = written()
        self.assertGreater(len(self.expressions), 12)
        for expression in self.expressions:
            self.assertEqual(wrong(expression, known), [], expression)
        hosts = self.dashboard["templating"]["list"][1]["query"]["query"]
        self.assertEqual([name for name in ("muster_node_status", "muster_report_status") if name not in hosts or "host" not in known[name]], [])

    def test_panels_are_of_one_datasource_and_lie_beside_each_other(self):
        numbers = [panel["id"] for panel in self.dashboard["panels"]]
        self.assertEqual(len(set(numbers)), len(numbers))
        cells = [(x, y) for panel in self.dashboard["panels"] for at in [panel["gridPos"]] for x in range(at["x"], at["x"] + at["w"]) for y in range(at["y"], at["y"] + at["h"])]
        self.assertEqual(len(set(cells)), len(cells))
        self.assertEqual({x for x, _ in cells}, set(range(24)))
        source = {"type": "prometheus", "uid": "${datasource}"}
        for panel in self.panels:
            self.assertEqual([panel["datasource"], *(target["datasource"] for target in panel["targets"])], [source] * (1 + len(panel["targets"])))
            self.assertTrue(panel["title"] and panel["description"], panel["title"])
        self.assertNotRegex(DASHBOARD.read_text(), r'"uid": "(?!\$\{datasource\}|muster-fleet")')

    def test_a_status_has_a_word_beside_its_colour(self):
        for panel in self.panels:
            if any("_status" in target["expr"] for target in panel["targets"]):
                words = {value: shown["text"] for mapping in panel["fieldConfig"]["defaults"]["mappings"] for value, shown in mapping["options"].items()}
                self.assertEqual(words, {"0": "skip", "1": "pass", "2": "warn", "3": "unknown", "4": "fail"}, panel["title"])

    @unittest.skipUnless(IS_WHOLE, "pip brings the SDK with --all alone")
    def test_the_sdk_of_grafana_reads_every_field(self):
        with tempfile.TemporaryDirectory() as place:
            wheels(place, SDK)

            def read(dashboard):
                done = subprocess.run([sys.executable, "-c", READER], env=os.environ | {"PYTHONPATH": place}, input=json.dumps(dashboard),
                                      capture_output=True, text=True, check=False)
                self.assertEqual(done.returncode, 0, done.stderr)
                return json.loads(done.stdout)

            self.assertEqual(lost(self.dashboard, read(self.dashboard)), [])
            odd = json.loads(json.dumps(self.dashboard))
            odd["panels"][0]["options"]["colour"] = odd["panels"][1]["targets"][0]["expression"] = odd["titel"] = "x"
            self.assertEqual(sorted(lost(odd, read(odd))), ["/panels/0/options/colour", "/panels/1/targets/0/expression", "/titel"])

    @unittest.skipUnless(IS_WHOLE, "promtool is built with --all alone")
    def test_prometheus_parses_every_expression(self):
        promtool = program(self, "promtool")

        def check(expressions):
            with tempfile.TemporaryDirectory() as place:
                rules = [{"record": f"panel:{number}", "expr": expression.replace("$host", ".*")} for number, expression in enumerate(expressions)]
                (pathlib.Path(place) / "rules.yaml").write_text(json.dumps({"groups": [{"name": "panels", "rules": rules}]}))
                return subprocess.run([promtool, "check", "rules", "rules.yaml"], cwd=place, capture_output=True,
                                      text=True, check=False)

        done = check(self.expressions)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertNotEqual(check([*self.expressions, "sum by muster_fleet_nodes"]).returncode, 0)


if __name__ == "__main__":
    unittest.main()

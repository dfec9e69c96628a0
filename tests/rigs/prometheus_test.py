# SPDX-License-Identifier: Apache-2.0
"""The alert rules: every metric, label and value that they name is one that muster writes, and promtool sees each alert where it is
due and no alert of a healthy fleet. promtool is built from Go's modules, so the whole of it runs with --all alone."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import yaml

sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/support"))
from drawn import IS_WHOLE  # noqa: E402
from fetched import program  # noqa: E402
from muster import SOURCE  # noqa: E402
from series import with_records, written, wrong  # noqa: E402

RULES = SOURCE / "healthcheck/deploy/prometheus/muster.rules.yaml"
DAY = 86400
NIGHTS = 96  # hours of the tests
# A fleet of four nodes that is tested each night. `broken` changes some of its series.
HEALTHY = {
    'muster_report_status{host="own",run="node",tier="full"}': "1x96", 'muster_report_time_seconds{host="own",run="node",tier="full"}': "0+3600x96",
    **{f'muster_node_status{{host="{host}"}}': "1x96" for host in ("own", "b", "c", "d")},
    **{f'muster_node_time_seconds{{host="{host}"}}': "0+3600x96" for host in ("own", "b", "c", "d")},
    "muster_fleet_status": "1x96", "muster_fleet_time_seconds": "0+3600x96", "muster_fleet_unreadable_files": "0x96",
    **{f'muster_fleet_nodes{{state="{state}"}}': f"{4 if state == 'pass' else 0}x96" for state in ("pass", "warn", "unknown", "fail", "missing", "skipped")}}
OWN, B = ({"host": "own", "run": "node", "tier": "full"}, {"host": "b"})
# What is broken, and which alerts that makes: {alert: [labels]}.
BROKEN = {
    "nothing": ({}, {}),
    "a node fails": ({'muster_report_status{host="own",run="node",tier="full"}': "4x96"}, {"MusterNodeFails": [OWN]}),
    "a node of which only the fleet knows fails": ({'muster_node_status{host="b"}': "4x96"}, {"MusterNodeFails": [B]}),
    "the node's own report is newer than the fleet's": ({'muster_node_status{host="own"}': "4x96"}, {}),
    "a node warns": ({'muster_report_status{host="own",run="node",tier="full"}': "2x96", 'muster_node_status{host="b"}': "2x96"}, {}),
    "a node is unknown": ({'muster_report_status{host="own",run="node",tier="full"}': "3x96"}, {"MusterNodeUnknown": [OWN]}),
    "nodes were not judged": ({'muster_report_status{host="own",run="node",tier="full"}': "0x96", 'muster_node_status{host="b"}': "3x96"},
                              {"MusterNodeUnknown": [OWN, B]}),
    "two nodes were not tested for two days": ({'muster_report_time_seconds{host="own",run="node",tier="full"}': "0+3600x48 172800x48",
                                                'muster_node_time_seconds{host="b"}': "0+3600x48 172800x48"}, {"MusterNoReport": [OWN, B]}),
    "a node was not tested for a day": ({'muster_report_time_seconds{host="own",run="node",tier="full"}': "0+3600x72 259200x24"}, {}),
    "half of the fleet fails": ({'muster_fleet_nodes{state="fail"}': "2x96", 'muster_fleet_nodes{state="pass"}': "2x96"}, {"MusterShareFails": [{}]}),
    "one of the fleet fails": ({'muster_fleet_nodes{state="fail"}': "1x96", 'muster_fleet_nodes{state="pass"}': "3x96"}, {}),
    "2 of 100 fail": ({'muster_fleet_nodes{state="fail"}': "2x96", 'muster_fleet_nodes{state="pass"}': "98x96"}, {}),
    "a node left no report": ({'muster_fleet_nodes{state="missing"}': "1x96", 'muster_fleet_nodes{state="pass"}': "3x96",
                               'muster_node_status{host="b"}': "4x96", 'muster_node_time_seconds{host="b"}': None}, {"MusterNodesMissing": [{"state": "missing"}]}),
    "files are no reports": ({"muster_fleet_unreadable_files": "3x96"}, {"MusterReportsUnreadable": [{}]}),
    "the fleet is not reported": ({"muster_fleet_time_seconds": "0+3600x48 172800x48"}, {"MusterNoFleetReport": [{}]}),
    "nothing is there": (dict.fromkeys(HEALTHY), {"MusterSilent": [{}]}),
    "only nodes are there": ({name: None for name in HEALTHY if not name.startswith("muster_report")}, {}),
    "only the fleet is there": ({name: None for name in HEALTHY if name.startswith("muster_report")}, {}),
}


def alerts(rules):
    return {rule["alert"]: rule for group in rules["groups"] for rule in group["rules"] if "alert" in rule}


class Rules(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.rules = yaml.safe_load(RULES.read_text())
        cls.known = with_records(written(), cls.rules)

    def test_they_name_nothing_that_muster_does_not_write(self):
        for group in self.rules["groups"]:
            for rule in group["rules"]:
                self.assertEqual(wrong(rule["expr"], self.known), [], rule)
        for expression, said in (("muster_report_statuz == 4", "does not write"), ('muster_report_status{hosts="a"}', "no label hosts"),
                                 ('muster_fleet_nodes{state="failed"}', "never 'failed'"), ("muster_node_status and on (node) muster_node_time_seconds", "a label node")):
            self.assertIn(said, " ".join(wrong(expression, self.known)))

    def test_annotations_name_labels_that_an_alert_has(self):
        for name, rule in alerts(self.rules).items():
            self.assertEqual(set(rule["annotations"]), {"summary", "description"}, name)
            self.assertIn(rule["labels"]["severity"], ("warning", "critical"))
            used = {label for text in rule["annotations"].values() for label in re.findall(r"\$labels\.(\w+)", text)}
            self.assertLessEqual(used, {"host"} if "host" in rule["expr"] else set(), name)

    def test_every_alert_is_among_the_tests(self):
        self.assertEqual({name for _, due in BROKEN.values() for name in due}, set(alerts(self.rules)))

    @unittest.skipUnless(IS_WHOLE, "promtool is built with --all alone")
    def test_each_alert_is_there_where_it_is_due(self):
        promtool = program(self, "promtool")
        with tempfile.TemporaryDirectory() as place:
            (pathlib.Path(place) / "rules.yaml").write_text(RULES.read_text())
            self.run_promtool(promtool, place, "check", "rules", "--lint=all", "--lint-fatal", "rules.yaml")
            for what, (broken, due) in BROKEN.items():
                with self.subTest(what):
                    self.write_test(place, HEALTHY | broken, due)
                    self.run_promtool(promtool, place, "test", "rules", "test.yaml")
            self.write_test(place, HEALTHY, {"MusterNodeFails": [OWN]})
            self.assertNotEqual(subprocess.run([promtool, "test", "rules", "test.yaml"], cwd=place, capture_output=True, check=False).returncode, 0)

    def write_test(self, place, series, due):
        every = alerts(self.rules)
        wanted = [{"eval_time": f"{NIGHTS}h", "alertname": name, "exp_alerts": [
            {"exp_labels": labels | rule["labels"]} for labels in due.get(name, [])]} for name, rule in every.items()]
        without = json.loads(json.dumps(self.rules))  # without annotations, which promtool would compare, too
        for group in without["groups"]:
            for rule in group["rules"]:
                rule.pop("annotations", None)
        folder = pathlib.Path(place)
        (folder / "bare.yaml").write_text(json.dumps(without))
        (folder / "test.yaml").write_text(json.dumps({
            "rule_files": ["bare.yaml"], "evaluation_interval": "30m", "group_eval_order": [group["name"] for group in self.rules["groups"]], "tests": [{
                "interval": "1h", "input_series": [{"series": name, "values": values} for name, values in series.items() if values],
                "alert_rule_test": wanted}]}))

    def run_promtool(self, promtool, place, *words):
        done = subprocess.run([promtool, *words], cwd=place, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()

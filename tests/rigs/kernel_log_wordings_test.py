# SPDX-License-Identifier: Apache-2.0
"""Logs made from the format strings of drivers, in every form in which people have them: each line about a fault gives
its code and component, each by an application its GPU, and each harmless line nothing."""
import os
import pathlib
import random
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/support"))
from kernel_fronts import FRONTS  # noqa: E402
from kernel_wordings import BY_APPLICATIONS, FAULTS, HARMLESS  # noqa: E402
from muster import muster, only_report  # noqa: E402

WHOLE = os.environ.get("MUSTER_WHOLE") == "1"
SEED = int(os.environ.get("MUSTER_SEED", random.randrange(2**32)))
LINES = 1000  # of a log
LOGS = 100 if WHOLE else len(FRONTS)


class Words:
    """Fills placeholders; each component comes once."""

    def __init__(self, seed):
        self.chance = random.Random(seed)
        self.used = 0

    def filled(self, text):
        self.used += 1
        number, chance = self.used, self.chance
        pci3 = f"{0x10000 + number // 256 if chance.random() < 0.3 else number // 256:04x}:{number % 256:02x}:00"
        has_instance, has_process = chance.random() < 0.3, chance.random() < 0.7
        name = chance.choice(("python3", "nvidia-smi", "ray::Worker", "kworker/3:1"))
        values = {
            "pci3": pci3, "pci": pci3 + ".0", "drive": f"nvme{number}", "iface": f"ens{number}f0np0", "cpu": number,
            "host": f"filer-{number}", "name": name, "pid": chance.randrange(2, 4_000_000),
            "mig": f" GPU-I:{chance.randrange(8):02d} GPU-CI:00" if has_instance else "",
            "process": f"pid={chance.randrange(2, 4_000_000)}, name={name}, " if has_process
                       else "pid='<unknown>', name=<unknown>, ",
        }
        while "{n}" in text or "{hex}" in text:
            text = text.replace("{n}", str(chance.randrange(100)), 1).replace("{hex}", hex(chance.randrange(2**40)), 1)
        return text.format(**values), values

    def log(self):
        """Messages with their seconds, and what is to be told of them."""
        said, faults, applications, seconds = [(0.0, "Linux version 6.1.0-13-amd64 (debian)")], set(), set(), 1.0
        for _ in range(LINES):
            seconds += self.chance.uniform(0.001, 9)
            kind = self.chance.random()
            if kind < 0.3:
                _, text, code, label = self.chance.choice(FAULTS)
                text, values = self.filled(text)
                named = {"pci": "pci", "drive": "drive", "cpu": "cpu", "server": "host"}.get(label)
                component = str(values[named]) if named else text.split("dev " if "dev " in text else "(")[1]
                if not named:
                    component = component.split("device ")[-1].split(",")[0].split(")")[0]
                faults.add((code, component))
            elif kind < 0.45:
                text, values = self.filled(self.chance.choice(BY_APPLICATIONS)[1])
                applications.add(values["pci"])
            else:
                text, _ = self.filled(self.chance.choice(HARMLESS)[1])
            said.append((seconds, text))
        return said, faults, applications


class Wordings(unittest.TestCase):
    def facts(self, data):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "log").write_bytes(data)
            muster("kernel_log", "--profile", "generic", "--file", "log", "--quiet", folder=folder)
            run = only_report(folder)["checks"][0]
        found = {"incidents": set(), "by_applications": set(), "unknown": []}
        for each in run["measurements"]:
            labels, metric = each["labels"], each["metric"].removeprefix("kernel_log.")
            if metric in ("incidents", "by_applications") and each["value"]["value"] > 0:
                component = next((labels[name] for name in ("pci", "drive", "device", "cpu", "server") if name in labels), "")
                found[metric].add((labels["code"], component) if metric == "incidents" else component)
            elif metric in ("last_unknown", "problem"):
                found["unknown"].append(each["value"])
        return found

    def test_each_line_is_told_as_it_is_in_every_form(self):
        names = sorted(FRONTS)
        for number in range(LOGS):
            name = names[number % len(names)]
            with self.subTest(f"{name}; MUSTER_SEED={SEED}, log {number}"):
                said, faults, applications = Words(SEED + number).log()
                found = self.facts(FRONTS[name](said))
                self.assertEqual(found["unknown"], [])
                self.assertEqual(found["incidents"] ^ faults, set())
                self.assertEqual(found["by_applications"] ^ applications, set())


if __name__ == "__main__":
    unittest.main()

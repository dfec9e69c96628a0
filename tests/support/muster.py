# SPDX-License-Identifier: Apache-2.0
"""The built programs as a user starts them. MUSTER_BIN and MUSTER_SOURCE come from ctest."""
import json
import os
import pathlib
import subprocess
import time

from schema import Schema

SOURCE = pathlib.Path(os.environ["MUSTER_SOURCE"])
BIN = pathlib.Path(os.environ["MUSTER_BIN"])
REPORT = Schema(SOURCE / "results/report.schema.json")


def muster(*arguments, folder, program="muster", **options):
    """Runs a program of this build in a folder; stdout and stderr are captured as text."""
    return subprocess.run([BIN / program, *map(str, arguments)], cwd=folder, capture_output=True, text=True,
                          check=False, stdin=subprocess.DEVNULL, **options)


def node(*arguments, folder, **options):
    """`muster node` beside other tests: its own lock, and a busy machine is no excuse."""
    return muster("node", "--even-if-in-use", "--lock", pathlib.Path(folder) / "lock", *arguments, folder=folder,
                  **options)


# Host memory by one thread in arrays that a cache holds: each sample is shorter than the time that a busy machine gives a thread.
STEADY_MEMORY = ("host_memory", "--threads", 1, "--bytes-per-array", "4M")


def install(folder):
    """Installs this build there, and returns where that is."""
    subprocess.run(["cmake", "--install", BIN.parent, "--prefix", folder], check=True, stdout=subprocess.DEVNULL)
    return folder


def reports(folder):
    """Those that runs left in a folder where they were told no place, oldest first."""
    return sorted(pathlib.Path(folder).glob("muster*-report.json"), key=lambda file: file.stat().st_mtime_ns)


def forget_reports(folder):
    for file in reports(folder):
        file.unlink()


def report(folder, name=None):
    """A report that the schema accepts: by its name, or the one that was left there last."""
    if name is None and not reports(folder):
        raise FileNotFoundError(f"no report was left in {folder}")
    file = pathlib.Path(folder, name) if name else reports(folder)[-1]
    document = json.loads(file.read_text(), parse_constant=refuse)
    REPORT.validate(document)
    return document


def of_host(document, name):
    """The same report as another host would have left it."""
    return json.loads(json.dumps(document).replace(json.dumps(document["hosts"][0]["name"]), json.dumps(name)))


def accused(document, *labels):
    """Fault code and these labels of every verdict on the first check that is worse than pass."""
    return {(verdict["fault"], *map(verdict["labels"].get, labels)) for verdict in document["checks"][0]["verdicts"]
            if verdict["status"] in ("fail", "warn", "unknown")}


def expect_refused(test, run, *words):
    """One sentence that holds these words, exit code 2, and nothing on stdout."""
    test.assertEqual((run.returncode, run.stdout, len(run.stderr.splitlines())), (2, "", 1), run.stderr)
    for word in words:
        test.assertIn(word, run.stderr)


def only_report(folder):
    """The one that was left there, not held against the schema, which takes longer than most checks."""
    document, = reports(folder)
    return json.loads(document.read_text())


def refuse(constant):
    raise ValueError(f"{constant} is not JSON")


def calibrated(names, *options, folder, again):
    """`muster calibrate` of these reports, with nothing left out. One that it calls uncertain, as on a machine that others share,
    is measured again by `again(name)`, as a user would; where it says only that they differ, one after the other."""
    for pause in range(10):
        made = muster("calibrate", *names, "--force", *options, folder=folder)
        if "too uncertain" not in made.stderr and "certain enough" not in made.stderr:
            return made
        uncertain = [name for name in names if f"run {report(folder, name)['run_id']} " in made.stderr]
        time.sleep(pause / 5)
        again(uncertain[-1] if uncertain else names[pause % len(names)])
    raise AssertionError(f"this machine is too noisy to calibrate: {made.stderr}")

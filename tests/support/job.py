# SPDX-License-Identifier: Apache-2.0
"""Jobs of MPI while they run: their processes, and what becomes of them."""
import os
import pathlib
import signal
import time

MPIRUN = ("mpirun", "--allow-run-as-root", "--oversubscribe")
# It waits a second after each signal to the ranks that it ends: for nothing, where they have nothing to save.
WITHOUT_PAUSE = ("-mca", "odls_base_sigkill_timeout", "0")


def processes(folder):
    """Those that work in a folder, by number; other tests have jobs of their own. Where mounts differ, so does a folder's name."""
    wanted = os.stat(folder)
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if os.path.samestat(os.stat(process / "cwd"), wanted) and (process / "cmdline").read_text():
                yield process
        except OSError:
            pass


def running(folder):
    return [(process / "cmdline").read_text() for process in processes(folder)]


def pid_of_rank(folder, rank):
    """The process of a job's rank."""
    for process in processes(folder):
        if f"OMPI_COMM_WORLD_RANK={rank}" in (process / "environ").read_text().split("\0"):
            return int(process.name)
    raise LookupError(f"there is no rank {rank}")


def cpu_seconds(pid):
    """That a process has used so far."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def wait_for(wanted, seconds):
    """Until `wanted()` is true; fails when it takes longer."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if wanted():
            return
        time.sleep(0.01)
    raise AssertionError(f"nothing after {seconds} s: {wanted.__doc__}")


def signal_rank(folder, rank, name):
    os.kill(pid_of_rank(folder, rank), getattr(signal, name))

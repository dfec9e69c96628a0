# SPDX-License-Identifier: Apache-2.0
"""Each kind of file of a machine deleted, emptied, garbled, made a folder and made unreadable in turn: a verdict must turn.

Those that rightly turn none are listed in damaged_files.json, by the damage, with the reason. The quick tests draw a few
files and one damage for each; `damaged_files_test.py SEED` draws them again.
"""
import concurrent.futures
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/support"))
from drawn import IS_WHOLE  # noqa: E402
from muster import BIN, SOURCE  # noqa: E402

SAMPLE = 24  # files of the quick tests
MACHINE = SOURCE / "tests/machines/ndv5"
PROFILE = "nd96isr_h100_v5"
CHECKS = "inventory,kernel_log,cpu,ib_link,nvme_health,topology"
UNJUDGED = json.loads((SOURCE / "tests/rigs/damaged_files.json").read_text())
# Parts of names that number components of one kind.
NUMBERS = ((r"[0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-9]", "PCI"), (r"pci[0-9a-f]{4}:[0-9a-f]{2}", "BUS"),
           (r"(?<=mlx5_ib)\d+", "N"), (r"(?<=/ib)\d+", "N"), (r"(?<=nvme)\d+", "N"), (r"(?<=/cpu)\d+", "N"),
           (r"(?<=/node)\d+", "N"), (r"(?<=/mc)\d+", "N"))


def kind_of(path):
    for pattern, name in NUMBERS:
        path = re.sub(pattern, name, path)
    return path


def files_by_kind():
    found = {}
    for file in sorted(MACHINE.rglob("*")):
        if file.is_file() and not file.is_symlink():
            path = str(file.relative_to(MACHINE))
            found.setdefault(kind_of(path), []).append(path)
    return found


def deleted(file):
    file.unlink()


def emptied(file):
    file.write_bytes(b"")


def garbled(file):
    file.write_bytes(b"\x01garbage\xff\n")


def made_a_folder(file):
    file.unlink()
    file.mkdir()


def made_unreadable(file):
    """By a bind mount of another process's memory, of which nothing can be read at its beginning: EIO."""
    subprocess.run(["mount", "--bind", "/proc/1/mem", file], check=True)


DAMAGES = {"deleted": deleted, "emptied": emptied, "garbled": garbled, "folder": made_a_folder, "unreadable": made_unreadable}


class Looks:
    """At copies of the machine; only one process at a time uses a copy."""

    def __init__(self, folder):
        self.folder = folder
        self.tree = folder / "tree"
        shutil.copytree(MACHINE, self.tree, symlinks=True)
        self.look()  # leaves the counters that later looks compare with, in place of a second of waiting
        uptime = self.tree / "proc/uptime"
        uptime.write_text(f"{float(uptime.read_text().split()[0]) + 3600:.2f} 1.00\n")
        self.healthy = self.look()

    def look(self):
        """(status, check, metric, fault, component) of all verdicts that are no pass."""
        report = self.folder / "report.json"
        report.unlink(missing_ok=True)
        state = self.folder / "state"
        if not state.exists():
            state.mkdir()
        kept = self.folder / "kept"
        if kept.exists():
            shutil.rmtree(state)
            shutil.copytree(kept, state)
        run = subprocess.run([BIN / "muster", "node", "--root", self.tree, "--profile", PROFILE, "--tier", "preflight", "--only",
                              CHECKS, "--state", state, "--report", report, "--quiet", "--lock", self.folder / "lock"],
                             check=False, capture_output=True, text=True, stdin=subprocess.DEVNULL, cwd=self.folder)
        if not kept.exists():
            shutil.copytree(state, kept)
        if not report.exists():
            return {("exit", str(run.returncode), run.stderr.strip()[:200])}
        return {(verdict["status"], check["check"], verdict["metric"], verdict["fault"],
                 json.dumps({**verdict["labels"], "reason": verdict["reason"]}, sort_keys=True))
                for check in json.loads(report.read_text())["checks"] for verdict in check["verdicts"]
                if verdict["status"] not in ("pass", "skip")}

    def after(self, path, damage):
        """What turned."""
        file = self.tree / path
        original = file.read_bytes()
        DAMAGES[damage](file)
        try:
            return self.look() - self.healthy
        finally:
            if damage == "unreadable":
                subprocess.run(["umount", file], check=True)
            if file.is_dir():
                file.rmdir()
            file.write_bytes(original)


def is_right(path, damage, turned):
    """Says so where it is not."""
    is_listed = damage in UNJUDGED.get(kind_of(path), {}).get("damage", [])
    if bool(turned) != is_listed:
        return True
    print(f"{'TURNED ALTHOUGH IT IS LISTED' if turned else 'NOTHING TURNED'}: {path} {damage}",
          *(each for each in sorted(turned)[:2]), flush=True)
    return False


def looked(folder, cases):
    """The cases that were wrong."""
    looks = Looks(folder)
    return [case for case in cases if not is_right(*case, looks.after(*case))]


def cases_drawn(draw):
    kinds = files_by_kind()
    if IS_WHOLE:
        return [(draw.choice(files), damage) for files in kinds.values() for damage in DAMAGES]
    return [(draw.choice(files), draw.choice(list(DAMAGES))) for files in draw.sample(list(kinds.values()), SAMPLE)]


def main():
    if os.geteuid() != 0 or subprocess.run(["unshare", "--mount", "true"], check=False).returncode != 0:
        print("skipped: needs root and the right to mount")
        sys.exit(77)
    if "MUSTER_APART" not in os.environ:  # mounts are this test's own
        sys.exit(subprocess.run(["unshare", "--mount", sys.executable, "-B", *sys.argv], check=False,
                                env={**os.environ, "MUSTER_APART": "1"}).returncode)
    seed = int(sys.argv[1]) if sys.argv[1:] else random.randrange(10**6)
    print(f"seed {seed}")
    cases = cases_drawn(random.Random(seed))
    at_once = os.cpu_count()
    with tempfile.TemporaryDirectory() as place, concurrent.futures.ThreadPoolExecutor(at_once) as pool:
        folders = [pathlib.Path(place) / str(number) for number in range(at_once)]
        for folder in folders:
            folder.mkdir()
        wrong = [each for share in pool.map(looked, folders, [cases[number::at_once] for number in range(at_once)])
                 for each in share]
    kinds = {kind_of(path) for path, _ in cases}
    print(f"{len(cases)} damages of {len(kinds)} kinds of file: {len(wrong)} are wrong")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()

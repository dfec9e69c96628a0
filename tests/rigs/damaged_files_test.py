# SPDX-License-Identifier: Apache-2.0
"""Each kind of file of a machine deleted, emptied, garbled, made a folder and made unreadable in turn: a verdict must turn, of
the check and the component that own the file, and accuse no other component.

damaged_files.json tells who owns which files, and lists the damages that rightly turn nothing, with the reason. The quick
tests draw a few files of three kinds of machine and one damage for each; `damaged_files_test.py SEED` draws them again.
"""
import concurrent.futures
import errno
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
from machines import A100, H100, H200, MACHINE, made, made_in_memory  # noqa: E402
from muster import BIN, SOURCE  # noqa: E402

SAMPLE = 4  # files of each machine in the quick tests
CHECKS = "inventory,kernel_log,cpu,ib_link,nvme_health,topology"
DATA = json.loads((SOURCE / "tests/rigs/damaged_files.json").read_text())
OWNERS = [(re.compile(owner["files"]), owner["check"]) for owner in DATA["owners"]]
SILENT = {kind: damages for group in DATA["silent"] for kind, damages in group["files"].items()}
MOST_SILENT, MUST_SPEAK = 40, {"port", "nic", "interface", "drive", "device", "pci", "cpu"}  # none of what each of these has
COMPONENTS = {name for pattern, _ in OWNERS for name in pattern.groupindex}
# Parts of names that number components of one kind.
NUMBERS = ((r"[0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-9]", "PCI"), (r"pci[0-9a-f]{4}:[0-9a-f]{2}", "BUS"),
           (r"(?<=mlx5_ib)\d+", "N"), (r"(?<=/ib)\d+", "N"), (r"(?<=nvme)\d+", "N"), (r"(?<=/cpu)\d+", "N"),
           (r"(?<=/node)\d+", "N"), (r"(?<=/mc)\d+", "N"))
# By what is in the folder of a PCI function.
FUNCTIONS = (("infiniband/mlx5_ib*", "INFINIBAND"), ("infiniband/*", "ETHERNET"), ("nvme", "DRIVE"), ("class", "GPU"))


def kind_of(tree, path):
    function = re.match(r"sys/devices/pci[^/]+/[^/]+(?=/)", path)
    if function:
        kind = next(kind for inside, kind in FUNCTIONS if list((tree / function[0]).glob(inside)))
        path = f"sys/devices/{kind}{path.removeprefix(function[0])}"
    for pattern, name in NUMBERS:
        path = re.sub(pattern, name, path)
    return path


def files_by_kind(tree):
    found = {}
    for file in sorted(tree.rglob("*")):
        if file.is_file() and not file.is_symlink():
            path = str(file.relative_to(tree))
            found.setdefault(kind_of(tree, path), []).append(path)
    return found


def owner_of(path):
    """The check, and the component by its labels; none of a file that is about the whole machine."""
    return next((check, match.groupdict()) for pattern, check in OWNERS if (match := pattern.search(path)))


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
    """By a bind mount of this process's memory, of which nothing can be read at its beginning."""
    subprocess.run(["mount", "--bind", f"/proc/{os.getpid()}/mem", file], check=True)
    try:
        file.read_bytes()
    except OSError as error:
        assert error.errno == errno.EIO, error


DAMAGES = {"deleted": deleted, "emptied": emptied, "garbled": garbled, "folder": made_a_folder, "unreadable": made_unreadable}


def labels_of(verdict):
    """Without the host, which each verdict names, and as a file says it."""
    labels = dict(verdict["labels"])
    del labels["host"]
    return frozenset(labels.items())


class Looks:
    """At a machine of one kind; only one process at a time uses it."""

    def __init__(self, folder, machine):
        self.folder, self.machine, self.tree = folder, machine, folder / "tree"
        folder.mkdir()
        made(machine, self.tree)
        self.look(CHECKS)  # leaves the counters that later looks compare with, in place of a second of waiting
        uptime = self.tree / "proc/uptime"
        uptime.write_text(f"{float(uptime.read_text().split()[0]) + 3600:.2f} 1.00\n")
        self.healthy = self.look(CHECKS)
        assert {metric for _, _, metric, *_ in self.healthy} == {"nvme_health.smart"}, self.healthy  # which no tree holds

    def look(self, checks):
        """(status, check, metric, reason, labels) of all verdicts that are no pass."""
        report, state, kept = self.folder / "report.json", self.folder / "state", self.folder / "kept"
        report.unlink(missing_ok=True)
        state.mkdir(exist_ok=True)
        if kept.exists():
            shutil.rmtree(state)
            shutil.copytree(kept, state)
        run = subprocess.run([BIN / "muster", "node", "--root", self.tree, "--profile", self.machine, "--tier", "preflight", "--only",
                              checks, "--state", state, "--report", report, "--quiet", "--lock", self.folder / "lock"],
                             check=False, capture_output=True, text=True, stdin=subprocess.DEVNULL, cwd=self.folder)
        if not kept.exists():
            shutil.copytree(state, kept)
        assert report.exists(), run.stderr
        return {(verdict["status"], check["check"], verdict["metric"], verdict["reason"], labels_of(verdict))
                for check in json.loads(report.read_text())["checks"] for verdict in check["verdicts"]
                if verdict["status"] not in ("pass", "skip")}

    def after(self, path, damage):
        """What turned; of machines other than the captured one, by the check that owns the file."""
        file = self.tree / path
        original = file.read_bytes()
        DAMAGES[damage](file)
        try:
            return self.look(CHECKS if self.machine == H100 else owner_of(path)[0]) - self.healthy
        finally:
            if damage == "unreadable":
                subprocess.run(["umount", file], check=True)
            if file.is_dir():
                file.rmdir()
            file.write_bytes(original)


def wrong_with(kind, path, damage, turned):
    """Nothing where all is right."""
    if damage in SILENT.get(kind, []):
        return "it turned although it is listed as silent" if turned else None
    check, component = owner_of(path)
    accused = [dict(labels) for _, its_check, _, _, labels in turned if its_check == check]
    if not accused:
        return f"nothing of {check} turned"
    if component and not any(component.items() <= labels.items() for labels in accused):
        return f"{check} does not name {component}"
    if not component and all(labels.keys() & COMPONENTS for labels in accused):
        return f"{check} names no fault of the whole machine"
    others = [labels for *_, labels in turned for label, name in labels if component.get(label, name) != name]
    return f"another component is accused: {dict(others[0])}" if others else None


def looked(folder, machine, seed, share, shares):
    """How many damages were done to the machine, and how many were wrong, which it prints."""
    looks, draw = Looks(folder, machine), random.Random(f"{seed} {machine}")
    kinds = files_by_kind(looks.tree)
    if IS_WHOLE:
        cases = [(kind, draw.choice(files), damage) for kind, files in kinds.items() for damage in DAMAGES]
    else:
        cases = [(kind, draw.choice(kinds[kind]), draw.choice(list(DAMAGES))) for kind in draw.sample(list(kinds), SAMPLE)]
    wrong = 0
    for kind, path, damage in cases[share::shares]:
        turned = looks.after(path, damage)
        if problem := wrong_with(kind, path, damage, turned):
            verdicts = [f"  {status} {metric} {dict(labels)}: {reason}" for status, _, metric, reason, labels in turned]
            wrong += 1
            print(f"{machine}: {path} {damage}: {problem}", *sorted(verdicts)[:3], sep="\n", flush=True)
    return len(cases[share::shares]), wrong


def wrong_in_list(kinds):
    if len(SILENT) > MOST_SILENT:
        yield f"{len(SILENT)} kinds of file are listed as silent, and {MOST_SILENT} are the most"
    for kind in SILENT:
        if kind not in kinds:
            yield f"no machine has {kind}, which is listed as silent"
    for kind, path in {(kind, path) for kind, files in kinds.items() for path in files if kind in SILENT}:
        if owner_of(path)[1].keys() & MUST_SPEAK:
            yield f"{path} is one component's own, and listed as silent"


def main():
    if os.geteuid() != 0 or subprocess.run(["unshare", "--mount", "true"], check=False).returncode != 0:
        print("skipped: needs root and the right to mount")
        sys.exit(77)
    if "MUSTER_APART" not in os.environ:  # mounts are this test's own
        sys.exit(subprocess.run(["unshare", "--mount", sys.executable, "-B", *sys.argv], check=False,
                                env={**os.environ, "MUSTER_APART": "1"}).returncode)
    seed = int(sys.argv[1]) if sys.argv[1:] else random.randrange(10**6)
    in_list = list(wrong_in_list(files_by_kind(MACHINE)))
    print(f"seed {seed}", *in_list, sep="\n", flush=True)
    shares = os.cpu_count() if IS_WHOLE else 1
    tasks = [(machine, share) for machine in (H100, H200, A100) for share in range(shares)]
    with tempfile.TemporaryDirectory() as place, concurrent.futures.ThreadPoolExecutor(shares if IS_WHOLE else len(tasks)) as pool:
        found = list(pool.map(lambda task: looked(pathlib.Path(place) / f"{task[0]}-{task[1]}", task[0], seed, task[1], shares), tasks))
    done, wrong = map(sum, zip(*found))
    print(f"{done} damages: {wrong} are wrong")
    sys.exit(1 if wrong or in_list else 0)


if __name__ == "__main__":
    made_in_memory()
    main()

# SPDX-License-Identifier: Apache-2.0
"""mpirun binds the ranks as `muster topology place` says, on machines of many shapes. It maps them by hwloc's model of the
machine, and a stand-in of the kernel takes each binding; the ranks tell it, and which GPU and NIC they are told. MUSTER_WHOLE
adds Open MPI 5, and takes every shape."""
import json
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/support"))
import open_mpi_5  # noqa: E402
from drawn import IS_WHOLE, drawn  # noqa: E402
from gpu_shapes import GPU_SHAPES  # noqa: E402
from muster import BIN, SOURCE, muster  # noqa: E402
from shapes import Shape, numbered  # noqa: E402

STAND_IN = str(BIN.parent / "tests/libbindings_of_any_machine.so")
# Two nodes of 24 cores with two threads, as a cloud's machines of eight GPUs have them; here with two GPUs a node.
FILE = """<system version="1">
  <cpu numaid="0" affinity="000000ff,ffff0000,00ffffff"><pci busid="0000:17:00.0" class="0x030200"/>
    <pci busid="0000:18:00.0" class="0x030200"/></cpu>
  <cpu numaid="1" affinity="ffffff00,0000ffff,ff000000"><pci busid="0000:97:00.0" class="0x030200"/>
    <pci busid="0000:98:00.0" class="0x030200"/></cpu>
</system>
"""
THREADS = ",".join(f"{core},{core + 48}" for core in range(48))
OF_FILE = {"HWLOC_SYNTHETIC": f"numa:2 core:24 pu:2(indexes={THREADS})", "HWLOC_THISSYSTEM": "1"}
# In the place of mpirun: it takes the options of muster launch, and each rank tells its CPUs instead of running the check.
MPIRUN = """#!/usr/bin/env python3
import json, os, sys
told = json.load(open({told!r}))
end = next(at for at, word in enumerate(sys.argv) if os.path.basename(word).startswith("muster-host"))
os.execve(told["mpirun"], [told["mpirun"], *sys.argv[1:end], "sh", "-c", told["say"]], told["environment"])
"""
NOT_OF_TESTS = ("OMPI_", "PRTE_", "PMIX_", "OPAL_", "HWLOC_")


# Without devices. Ranks, the machine, and whether options of mpirun can say it.
SHAPES = {
    "one thread a core": (8, numbered(2, 1, 16, lambda node, core, _: 16 * node + core), True),
    "second threads behind all first ones": (8, numbered(2, 1, 12, lambda n, c, t: 12 * n + c + 24 * t, 2), True),
    "both threads side by side": (4, numbered(2, 1, 8, lambda n, c, t: 16 * n + 2 * c + t, 2), True),
    "CPUs by turns over the sockets": (4, numbered(2, 1, 8, lambda n, c, _: 2 * c + n), True),
    "by turns, with two threads": (8, numbered(2, 1, 12, lambda n, c, t: 2 * c + n + 24 * t, 2), True),
    "four nodes a socket": (16, numbered(2, 4, 4, lambda n, c, t: 4 * n + c + 32 * t, 2), True),
    "one node without numbers to share": (3, numbered(1, 1, 7, lambda _, c, t: c + 7 * t, 2), False),
    "four threads a core": (4, numbered(2, 1, 6, lambda n, c, t: 4 * (6 * n + c) + t, 4), True),
    "nodes of different sizes": (4, Shape([[[[c] for c in range(8)]], [[[8 + c] for c in range(4)]]]), False),
    "different sizes, two threads": (
        2, Shape([[[[c, 12 + c] for c in range(8)]], [[[8 + c, 20 + c] for c in range(4)]]]), False),
    "nodes of sockets by turns": (
        4, Shape([[[[8 * c + 2 * node + package] for c in range(4)] for node in range(2)] for package in range(2)],
                 numbers=[0, 2, 1, 3]), False),
    "some cores with one thread": (2, Shape([[[[0, 6], [1, 7], [2], [3]]], [[[4], [5], [8, 10], [9, 11]]]]), True),
}


class Bindings(unittest.TestCase):
    environment = {}

    @classmethod
    def setUpClass(cls):
        cls.mpi = {name: value for name, value in os.environ.items() if not name.startswith(NOT_OF_TESTS)}

    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = pathlib.Path(place.name)

    def place(self, *arguments):
        return muster("topology", "place", *arguments, folder=self.folder)

    def bound(self, ranks, machine, options, place=()):
        """CPUs of each rank, as the kernel was told them, and the variables that it gets of `place`."""
        bindings = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        own = shlex.join(map(str, [BIN / "muster", "topology", "place", *place, "--rank", "told", "--format", "env"]))
        say = f'echo "rank $OMPI_COMM_WORLD_RANK: $(cat {bindings}/$$): $({own} | tr "\n" " ")"'
        run = subprocess.run(
            ["mpirun", "--allow-run-as-root", *options, "sh", "-c", say], check=False, capture_output=True, text=True,
            cwd=self.folder, stdin=subprocess.DEVNULL, timeout=60,
            env=self.mpi | machine | {"LD_PRELOAD": STAND_IN,
                                      "MUSTER_BINDINGS": str(bindings)})
        self.assertEqual(run.returncode, 0, f"{options}\n{run.stdout}{run.stderr}")
        told = sorted((line.split(": ") for line in run.stdout.splitlines() if line.startswith("rank ")),
                      key=lambda words: int(words[0][5:]))
        self.assertEqual(len(told), ranks, run.stdout)
        return ([sorted(map(int, cpus.split())) for _, cpus, _ in told],
                [variables.replace("export ", "").split() for _, _, variables in told])

    def expect_bound(self, machine, *place, by_options):
        """By rankfile, and by options where they can say it; slots of mpirun may be fewer than ranks, too. CPUs and variables of
        each rank."""
        seats = json.loads(self.place(*place, "--format", "json").stdout)
        wanted = [seat["cpus"] for seat in seats]
        (self.folder / "ranks").write_text(self.place(*place, "--format", "rankfile").stdout)
        (self.folder / "one_slot").write_text("localhost slots=1\n")
        by_file = ["-np", str(len(seats)), "--rankfile", "ranks", "--bind-to", "core"]
        options = self.place(*place, "--format", "mpirun")
        self.assertEqual(options.returncode == 0, by_options, options.stdout + options.stderr)
        for binding in [by_file, options.stdout.split()][:2 if by_options else 1]:
            for slots in drawn(1, [[], ["--oversubscribe"], ["--oversubscribe", "--hostfile", "one_slot"]]):
                bound, variables = self.bound(len(seats), machine, slots + binding, place)
                self.assertEqual(bound, wanted, slots + binding)
        return wanted, variables

    def model(self, name, shape):
        """Variables by which mpirun sees a machine of this shape."""
        file = self.folder / f"{name}.hwloc".replace(" ", "_")
        shape.write_hwloc(file)
        return {"HWLOC_XMLFILE": str(file), "HWLOC_THISSYSTEM": "1"}

    def check_shape(self, name):
        ranks, shape, by_options = SHAPES[name]
        shape.write_tree(self.folder / name)
        bound, _ = self.expect_bound(self.model(name, shape), "--root", self.folder / name, "--ranks", ranks, by_options=by_options)
        both = [cpu for rank in bound for cpu in rank]
        self.assertEqual(len(both), len(set(both)), bound)
        self.expect_launched(name, shape, bound)

    def check_gpu_shape(self, name):
        machine = GPU_SHAPES[name]
        machine.write_tree(self.folder / name)
        place = ["--root", self.folder / name]
        if machine.file:
            (self.folder / f"{name}.xml").write_text(machine.file)
            place += ["--file", self.folder / f"{name}.xml"]
        bound, variables = self.expect_bound(self.model(name, machine.shape), *place, by_options=machine.by_options)
        self.assertEqual(bound, machine.cpus)
        self.assertEqual(variables, machine.variables)
        self.expect_launched(name, machine.shape, bound)

    def test_ranks_are_bound_on_machines_of_every_shape(self):
        for name in drawn(2, [*SHAPES, *GPU_SHAPES]):
            with self.subTest(name):
                (self.check_shape if name in SHAPES else self.check_gpu_shape)(name)

    def test_a_file_tells_threads_by_its_masks(self):
        """Of another machine than this one: two equal ranges are the threads of its cores."""
        file = self.folder / "topo.xml"
        file.write_text(FILE)
        bound, _ = self.expect_bound(OF_FILE, "--file", file, by_options=True)
        self.assertEqual(bound[0], [*range(12), *range(48, 60)])

    def launched(self, ranks, file, machine, root="/"):
        """CPUs of each rank that muster launch starts with this topology file."""
        bindings = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        told = {"mpirun": shutil.which("mpirun", path=self.mpi["PATH"]),
                "say": f'cat {bindings}/$$ > {bindings}/rank$OMPI_COMM_WORLD_RANK',
                "environment": self.mpi | machine | {"MUSTER_BINDINGS": str(bindings), "LD_PRELOAD": STAND_IN}}
        (self.folder / "told.json").write_text(json.dumps(told))
        program = self.folder / "bin/mpirun"
        program.parent.mkdir(exist_ok=True)
        program.write_text(MPIRUN.format(told=str(self.folder / "told.json")))
        program.chmod(0o755)
        run = muster("launch", "--topology", file, "--root", root, "--ranks-on-each", ranks, "--deadline", 60, "--quiet", "--force",
                     "host_allreduce", folder=self.folder, env=os.environ | {"PATH": f"{program.parent}:{os.environ['PATH']}"})
        told = sorted(bindings.glob("rank*"), key=lambda file: int(file.name[4:]))
        self.assertEqual([file.name for file in told], [f"rank{rank}" for rank in range(ranks)], run.stdout + run.stderr)
        return [list(map(int, file.read_text().split())) for file in told]

    def expect_launched(self, name, shape, bound):
        """By the file of the machine, or by the one that muster makes of it."""
        if not IS_WHOLE:
            return
        file = self.folder / f"{name}.xml"
        if not file.exists():
            made = muster("topology", "generate", "--root", self.folder / name, "--output", file, folder=self.folder)
            self.assertEqual(made.returncode, 0, made.stderr)
        self.assertEqual(self.launched(len(bound), file, self.model(name, shape), self.folder / name), bound)

    def test_launch_binds_its_ranks_so(self):
        """All four by options, those of one node and three of four by a rankfile."""
        (self.folder / "topo.xml").write_text(FILE)
        for ranks in drawn(1, [4, 2, 3]):
            bound = self.launched(ranks, "topo.xml", OF_FILE)
            seats = self.place("--file", "topo.xml", "--ranks", ranks, "--format", "json").stdout
            self.assertEqual(bound, [seat["cpus"] for seat in json.loads(seats)], ranks)

    def test_gpus_that_do_not_follow_numa_nodes(self):
        machine = {"HWLOC_SYNTHETIC": "numa:4 core:24 pu:1", "HWLOC_THISSYSTEM": "1"}
        bound, _ = self.expect_bound(machine, "--file", SOURCE / "topology/ndv4-topo.xml", by_options=False)
        self.assertEqual(bound[0], list(range(24, 36)))


@unittest.skipUnless(IS_WHOLE, "Open MPI 5 is tried with ./muster test --all")
class BindingsByOpenMpi5(Bindings):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        place = tempfile.TemporaryDirectory()
        cls.addClassCleanup(place.cleanup)
        root = open_mpi_5.install(place.name)
        if not root:
            raise unittest.SkipTest(f"pip cannot get {open_mpi_5.WHEEL} here")
        cls.mpi |= open_mpi_5.variables(root)


if __name__ == "__main__":
    unittest.main()

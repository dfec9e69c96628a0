# SPDX-License-Identifier: Apache-2.0
"""`muster topology` as people and job scripts use it."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/support"))
from muster import BIN, SOURCE, muster  # noqa: E402

FILE = SOURCE / "topology/ndv5-topo.xml"
NDV5 = SOURCE / "tests/machines/ndv5"
MASKS = ("00000000,0000ffff,ffffffff", "ffffffff,ffff0000,00000000")


class Topology(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.addCleanup(self.place.cleanup)
        self.folder = pathlib.Path(self.place.name)

    def topology(self, *arguments, code=0):
        run = muster("topology", *arguments, folder=self.folder)
        self.assertEqual(run.returncode, code, run.stdout + run.stderr)
        return run.stdout

    def most_ranks(self):
        """One to a GPU, else one to a core."""
        gpus = pathlib.Path("/proc/driver/nvidia/gpus")
        threads = [pathlib.Path(f"/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list")
                   for cpu in os.sched_getaffinity(0)]
        cores = {file.read_text() if file.exists() else str(file) for file in threads}
        return len(list(gpus.iterdir())) if gpus.exists() else len(cores)

    def test_the_right_file_is_green(self):
        self.assertIn("0 errors, 0 warnings", self.topology("check", FILE, "--root", NDV5))

    def test_a_wrong_file_is_red_with_line_code_and_remedy(self):
        low, high = MASKS
        text = FILE.read_text().replace(low, "x").replace(high, low).replace('"x"', f'"{high}"')
        (self.folder / "old.xml").write_text(text)
        for command in (["lint", "old.xml"], ["check", "old.xml", "--root", NDV5]):
            lines = self.topology(*command, code=1).splitlines()
            self.assertEqual(len(lines), 3)
            self.assertTrue(lines[0].startswith("old.xml:4: error: numa 0: these are the masks"), lines[0])
            self.assertTrue(lines[0].endswith("[topology_masks_swapped]"), lines[0])
            self.assertIn("Replace the file", lines[1])

    def test_what_is_generated_lints_clean_and_describes_the_machine(self):
        for root in ([], ["--root", NDV5]):
            self.topology("generate", *root, "--output", "made.xml", "--force")
            self.topology("lint", "made.xml")
            self.topology("check", "made.xml", *root)

    def test_a_rank_that_is_none_is_refused_even_where_a_launcher_tells_one(self):
        run = muster("topology", "place", "--rank", "first", folder=self.folder,
                     env={**os.environ, "OMPI_COMM_WORLD_LOCAL_RANK": "0"})
        self.assertEqual(run.returncode, 2)
        self.assertIn("--rank first is not a rank", run.stderr)

    def test_programs_get_json(self):
        machine = json.loads(self.topology("show", FILE, "--format", "json"))
        self.assertEqual([node["numaid"] for node in machine["numa_nodes"]], [0, 1])
        self.assertEqual(machine["numa_nodes"][1]["devices"][0]["devices"][0]["busid"], "0009:00:00.0")
        seats = json.loads(self.topology("place", "--file", FILE, "--format", "json"))
        self.assertEqual(seats[7]["cpus"], list(range(84, 96)))

    def write(self, *elements):
        (self.folder / "topo.xml").write_text("\n".join(['<system version="1">', *elements, "</system>"]) + "\n")

    def test_a_file_of_neither_gpus_nor_cpus_has_nothing_to_place(self):
        for inside in ('<cpu numaid="0"><pci busid="0000:00:77.0"/></cpu>', '<gpu dev="0" sm="90"/>', '<cpu numaid="0"/>'):
            self.write(inside)
            for form in ("text", "rankfile", "env", "json"):
                run = muster("topology", "place", "--file", "topo.xml", "--format", form, folder=self.folder)
                self.assertEqual((run.returncode, run.stdout), (1, ""))
                self.assertIn("names no GPU and no CPUs, so there is nothing to place", run.stderr)

    def test_a_node_without_a_mask_has_the_cpus_of_this_machine(self):
        self.write('<cpu numaid="-1" arch="x86_64" vendor="AuthenticAMD" familyid="25" modelid="1">',
                   '<pci busid="0000:05:00.0" class="0x030200"><gpu dev="0" sm="90" rank="0" gdr="1"/></pci>',
                   '<pci busid="0000:15:00.0" class="0x020000"><nic>',
                   '<net name="mlx5_0" dev="0" speed="400000" port="1" guid="0x9a02"/></nic></pci></cpu>')
        self.assertIn("mlx5_0 0000:15:00.0", self.topology("place", "--file", "topo.xml"))
        self.assertRegex(self.topology("place", "--file", "topo.xml", "--format", "rankfile"), r"^rank 0=localhost slot=0")
        self.assertIn("NCCL_IB_HCA==mlx5_0\n", self.topology("place", "--file", "topo.xml", "--format", "env"))

    def test_a_dump_of_two_hosts_is_shown_by_its_first_and_used_for_nothing(self):
        tray = ('<pci busid="0008:06:00.0" class="0x030200"><gpu dev="0" sm="103"/></pci>',
                '<pci busid="0009:06:00.0" class="0x030200"><gpu dev="1" sm="103"/></pci></cpu>')
        self.write('<cpu host_hash="0x9b1" numaid="0" affinity="ff" arch="arm64">', *tray,
                   '<cpu host_hash="0x77c" numaid="0" affinity="ff" arch="arm64">', *tray)
        shown = muster("topology", "show", "topo.xml", folder=self.folder)
        self.assertEqual(shown.returncode, 0)
        self.assertIn("a dump of 2 hosts; here is the first", shown.stderr)
        self.assertIn("2 GPUs", shown.stdout)
        self.assertEqual(self.topology("lint", "topo.xml", code=1).count("[topology_"), 1)
        for command in (["topology", "place", "--file", "topo.xml"],
                        ["launch", "--topology", "topo.xml", "--ranks-on-each", "2", "host_allreduce"]):
            run = muster(*command, folder=self.folder)
            self.assertEqual(run.returncode, 2, run.stdout)
            self.assertIn("a dump of 2 hosts (host_hash); keep the 'cpu' elements of one", run.stderr)
            self.assertFalse(list(self.folder.glob("*report*")))

    def test_mpirun_takes_the_rankfile_and_the_options(self):
        ranks = str(self.most_ranks())
        (self.folder / "ranks").write_text(self.topology("place", "--ranks", ranks, "--format", "rankfile"))
        options = self.topology("place", "--ranks", ranks, "--format", "mpirun").split()
        verify = [BIN / "muster", "topology", "place", "--ranks", ranks, "--verify"]
        for binding in (["--rankfile", "ranks", "-np", ranks], options):
            run = subprocess.run(["mpirun", "--allow-run-as-root", *binding, *verify], cwd=self.folder, check=False,
                                 capture_output=True, text=True)
            self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
            self.assertEqual(run.stdout.count("PASS: rank "), int(ranks))

    def test_a_rank_learns_whether_it_is_bound_to_its_seat(self):
        if self.most_ranks() < 2:
            self.skipTest("one CPU or GPU has no wrong seat")
        before = os.sched_getaffinity(0)
        self.addCleanup(os.sched_setaffinity, 0, before)
        own = ["place", "--ranks", "2", "--verify", "--rank"]
        seats = json.loads(self.topology("place", "--ranks", "2", "--format", "json"))
        os.sched_setaffinity(0, seats[0]["cpus"])
        self.assertIn("PASS: rank 0", self.topology(*own, "0"))
        self.assertIn("FAIL: rank 1", self.topology(*own, "1", code=1))
        os.environ["OMPI_COMM_WORLD_LOCAL_RANK"] = "1"
        self.addCleanup(os.environ.pop, "OMPI_COMM_WORLD_LOCAL_RANK")
        self.assertIn("FAIL: rank 1", self.topology("place", "--ranks", "2", "--verify", code=1))


if __name__ == "__main__":
    unittest.main()

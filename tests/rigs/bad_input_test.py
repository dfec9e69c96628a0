# SPDX-License-Identifier: Apache-2.0
"""Bad input gets one clear sentence on stderr, exit code 2, and nothing is written."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/support"))
from muster import BIN, SOURCE, muster, node  # noqa: E402

MACHINE = SOURCE / "tests/machines/ndv5"


class BadInput(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.addCleanup(self.place.cleanup)
        self.folder = pathlib.Path(self.place.name)

    def refused(self, run, *words, left=()):
        """One sentence that holds the words, exit code 2, and no file but those that were there."""
        self.assertEqual(run.returncode, 2, run.stderr)
        lines = run.stderr.strip().splitlines()
        self.assertEqual(len(lines), 1, run.stderr)
        self.assertLess(len(lines[0]), 300, run.stderr)
        for word in words:
            self.assertIn(word, lines[0])
        self.assertEqual(run.stdout, "")
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), sorted(left))

    def file(self, name, text):
        (self.folder / name).write_text(text)
        return name

    def test_a_report_of_a_profile_of_ones_own_does_not_say_where_that_is(self):
        profile = self.file("mine.json", json.dumps({"name": "mine", "description": "d", "extends": "generic", "expectations": []}))
        muster("limits", "--profile", "./mine.json", "--report", "r.json", folder=self.folder)
        self.refused(muster("judge", "r.json", folder=self.folder), "mine", "--profile", left=["r.json", profile])

    def test_two_names_of_one_machine(self):
        for names in ("localhost,127.0.0.1", "::1,h1,127.0.1.1"):
            self.refused(muster("launch", "--hosts", names, "host_allreduce", folder=self.folder), "are one machine")

    def test_unknown_option(self):
        for command in ("node", "list", "judge r", "report r", "calibrate r", "explain"):
            name, *rest = command.split()
            self.refused(muster(name, *rest, "--frobnicate", folder=self.folder), "--frobnicate", f"muster {name} --help")
        self.refused(muster("--frobnicate", folder=self.folder, program="muster-limits"), "--frobnicate")
        self.refused(muster("--frobnicate", folder=self.folder), "--frobnicate", "muster --help")

    @unittest.skipUnless((BIN / "muster-ib-bandwidth").exists(), "needs libibverbs")
    def test_impossible_traffic(self):
        for options, word in ((("--nic", "mlx5_9"), "sys/class/infiniband lists them"), (("--operation", "fetch"), "'fetch'"),
                              (("--memory", "disk"), "'disk'"), (("-s", "12"), "multiple of 8"), (("-t", 0), "from 1 to 4096"),
                              (("-q", 33), "from 1 to 32"), (("--size", "64M", "-q", 32), "more than 1 GiB"),
                              (("--qp-timeout", 19), "from 1 to 18"), (("--bidirectional",), "--between-ports"),
                              (("-b", "--between-ports", "-n", 9), "leave out --iterations")):
            with self.subTest(options):
                self.refused(muster(*options, folder=self.folder, program="muster-ib-bandwidth"), options[0], word)

    @unittest.skipUnless((BIN / "muster-scratch").exists(), "needs libblkid")
    def test_impossible_scratch(self):
        for options, word in ((("--mount-at", "scratch"), "whole name of a folder"), (("--mount-at", "/"), "whole name of a folder"),
                              (("--drives", 0), "above 0"), (("--every", 0), "above 0"), (("--root", MACHINE), "--dry-run"),
                              (("--root", self.folder, "--dry-run"), "neither a folder 'sys' nor"),
                              (("--status", "no/folder/status.json", "--dry-run"), "no/folder")):
            with self.subTest(options):
                self.refused(muster("scratch", *options, folder=self.folder), word)

    def test_a_number_that_is_none(self):
        for command in ("launch", "worker", "probe"):
            for port in ("-1", "0", "65536", "ssh"):
                self.refused(muster(command, "--port", port, *(["host_allreduce"] if command == "launch" else []), folder=self.folder),
                             "--port", port)

    def test_no_such_tier(self):
        self.refused(muster("node", "--tier", "quik", folder=self.folder), "--tier", "quik")

    def test_no_such_command_names_the_nearest(self):
        self.refused(muster("nod", folder=self.folder), "nod", "Did you mean 'node'?")
        self.refused(muster("host-memry", folder=self.folder), "host-memry", "Did you mean 'host_memory'?")

    def test_no_such_check_names_the_nearest(self):
        for option in ("--only", "--skip"):
            self.refused(muster("node", option, "host_memroy", folder=self.folder), "host_memroy",
                         "Did you mean 'host_memory'?")

    def test_no_such_profile_names_the_nearest(self):
        run = muster("node", "--profile", "nd96isr_h100", folder=self.folder)
        self.refused(run, "nd96isr_h100", "Did you mean 'nd96isr_h100_v5'?")

    def test_profile_that_cannot_be_read(self):
        self.refused(muster("node", "--profile", "missing/profile.json", folder=self.folder), "missing/profile.json")
        self.refused(muster("limits", "--profile", self.folder, folder=self.folder), str(self.folder))

    def test_place_of_a_profile_that_cannot_be_looked_at(self):
        (self.folder / "loop").symlink_to("loop")
        for words in (("list", "--profile"), ("node", "--profile"), ("profile", "lint")):
            self.refused(muster(*words, "loop/p.json", folder=self.folder), "cannot read loop/p.json: Too many levels of symbolic links",
                         left=["loop"])
        extending = {"name": "p", "description": "d", "extends": "loop/q", "expectations": []}
        name = self.file("p.json", json.dumps(extending))
        self.refused(muster("list", "--profile", "./p.json", folder=self.folder), "there is no profile 'loop/q'", left=["loop", name])

    @unittest.skipUnless(os.geteuid() == 0, "to be somebody else needs root")
    def test_profile_in_a_locked_folder(self):
        self.folder.chmod(0o777)
        locked = self.folder / "locked"
        locked.mkdir(mode=0o700)
        (locked / "p.json").write_text((SOURCE / "healthcheck/profiles/generic.json").read_text())
        try:
            if muster("version", folder=self.folder, user=65534).returncode != 0:
                self.skipTest("this build is in a locked folder, too")
        except PermissionError:
            self.skipTest("this build is in a locked folder, too")
        for words in (("list", "--profile"), ("limits", "--profile"), ("profile", "lint")):
            run = muster(*words, locked / "p.json", folder=self.folder, user=65534, group=65534, extra_groups=[])
            self.refused(run, f"cannot read {locked}/p.json: Permission denied", left=["locked"])

    def test_large_profiles_are_read_in_time(self):
        name = self.file("p.json", "[" * 200_000 + "]" * 200_000)
        self.refused(muster("list", "--profile", "./p.json", folder=self.folder, timeout=10), "more than 1024 times", left=[name])
        each = {"check": "host_memory", "metric": "host_memory.bandwidth", "bound": "at_least", "unit": "B/s", "pass": 2, "fail": 1,
                "fault": "host_memory_slow", "source": "here", "date": "2026-11-21"}
        many = [each | {"labels": {"kernel": "triad", "numa": str(number)}} for number in range(100_000)]
        self.file("p.json", json.dumps({"name": "p", "description": "d", "expectations": many}))
        self.assertEqual(muster("list", "--profile", "./p.json", folder=self.folder, timeout=20).returncode, 0)
        self.file("p.json", json.dumps({"name": "p", "description": "d", "expectations": [*many, many[0]]}))
        self.refused(muster("list", "--profile", "./p.json", folder=self.folder, timeout=40), "/expectations/100000", "above already",
                     left=[name])

    def test_malformed_profile_names_file_line_and_field(self):
        name = self.file("p.json", '{"name": "p",\n "description": "d",\n "expectations": [\n  {"chekc": "limits"}]}\n')
        self.refused(muster("node", "--profile", name, folder=self.folder), "p.json:4", "chekc", left=[name])
        name = self.file("p.json", '{"name": "p",\n "description": \n')
        self.refused(muster("node", "--profile", name, folder=self.folder), "p.json:", left=[name])

    def test_what_lint_finds_in_a_profile_is_refused_by_all_with_its_line(self):
        shipped = (SOURCE / "healthcheck/profiles/generic.json").read_text()
        report = self.file("r.json", (SOURCE / "results/examples/pass.json").read_text())
        for before, after in (("memlock_too_low", "memlock_to_low"), ("limits.open_files", "limits.open_filez")):
            line = 1 + shipped[:shipped.index(before)].count("\n")
            name = self.file("p.json", shipped.replace(before, after))
            for words in (("node", "--only", "limits"), ("judge", report)):
                self.refused(muster(*words, "--profile", name, folder=self.folder), f"p.json:{line}: ", after, left=[name, report])

    def test_a_report_is_the_exit_code_of_what_shows_it(self):
        for name, code in (("pass", 0), ("warn", 0), ("fail", 1), ("unknown", 3), ("skip", 3)):
            file = SOURCE / f"results/examples/{name}.json"
            for words, expected in (((), code), (("--format", "json"), code), (("--exit-zero",), 0)):
                shown = muster("report", file, *words, folder=self.folder)
                self.assertEqual((shown.returncode, shown.stderr), (expected, ""), (name, words))
                self.assertTrue(shown.stdout)

    def test_files_without_end(self):
        self.refused(muster("judge", "/dev/zero", "--profile", "generic", folder=self.folder), "/dev/zero", "larger than 256 MiB")

    def test_temporary_folder_that_is_none(self):
        for name in ("/none", "", "/dev/null"):
            self.refused(muster("limits", folder=self.folder, env=os.environ | {"TMPDIR": name}), f"TMPDIR is '{name}'", "--scratch")

    def test_memory_that_no_machine_has(self):
        for size in ("1E", "900T"):
            self.refused(muster("host_memory", "--bytes-per-array", size, folder=self.folder), "--bytes-per-array", "more than half")

    def test_report_that_is_not_json(self):
        name = self.file("r.json", "once upon a time\n")
        self.refused(muster("report", name, folder=self.folder), "r.json", left=[name])
        self.refused(muster("judge", name, "--profile", "generic", folder=self.folder), "r.json", left=[name])
        self.refused(muster("calibrate", name, folder=self.folder), "r.json", left=[name])
        self.refused(muster("report", "none.json", folder=self.folder), "none.json", left=[name])

    def test_report_that_is_judged_by_the_profile_of_this_machine(self):
        name = self.file("r.json", (SOURCE / "results/examples/pass.json").read_text())
        self.refused(muster("judge", name, "--profile", "auto", folder=self.folder), "--profile", "auto", left=[name])

    def test_report_with_a_broken_field_names_it(self):
        document = (SOURCE / "results/examples/pass.json").read_text().replace('"pass"', '"splendid"', 1)
        name = self.file("r.json", document)
        self.refused(muster("report", name, folder=self.folder), "r.json", "splendid", left=[name])

    def test_root_that_is_not_a_system_tree(self):
        with tempfile.TemporaryDirectory() as empty:
            self.refused(muster("node", "--root", empty, folder=self.folder), "--root", empty)
            self.refused(muster("limits", "--root", empty + "/none", folder=self.folder), "--root", empty + "/none")

    def test_report_or_summary_in_a_place_that_cannot_be_written(self):
        self.refused(node("--root", MACHINE, "--report", "none/r.json", folder=self.folder), "none/r.json")
        self.refused(node("--root", MACHINE, "--summary", "none/s.json", folder=self.folder), "none/s.json")
        self.refused(node("--root", MACHINE, "--report", "r.json", "--summary", "./r.json", folder=self.folder), "./r.json")

    def test_scratch_that_is_missing(self):
        self.refused(muster("node", "--scratch", "none", folder=self.folder), "scratch", "none")

    @unittest.skipUnless(os.geteuid() == 0, "mounting needs root")
    def test_scratch_that_is_full_or_read_only(self):
        for options, fill in (("size=64k", True), ("ro", False)):
            with tempfile.TemporaryDirectory() as place:
                subprocess.run(["mount", "-t", "tmpfs", "-o", options, "scratch", place], check=True)
                try:
                    if fill:
                        self.fill(pathlib.Path(place) / "full")
                    for command in (["node"], ["limits"]):
                        self.refused(muster(*command, "--scratch", place, folder=self.folder), "scratch", place)
                finally:
                    subprocess.run(["umount", place], check=True)

    @unittest.skipUnless(os.geteuid() == 0, "mounting needs root")
    def test_a_disk_that_fills_in_the_middle_is_no_bad_input(self):
        document = json.loads((SOURCE / "results/examples/pass.json").read_text())
        check = next(check for check in document["checks"] if check["measurements"])
        check["measurements"] *= 1 + 2000 // len(check["measurements"])
        name = self.file("large.json", json.dumps(document))
        with tempfile.TemporaryDirectory() as place:
            subprocess.run(["mount", "-t", "tmpfs", "-o", "size=128k", "small", place], check=True)
            try:
                run = muster("judge", name, "--profile", "generic", "--report", f"{place}/r.json", "--quiet", folder=self.folder)
                self.assertEqual((run.returncode, os.listdir(place)), (3, []), run.stderr)
                self.assertIn("No space left on device", run.stderr)
            finally:
                subprocess.run(["umount", place], check=True)

    @staticmethod
    def fill(path):
        with open(path, "wb", buffering=0) as file:
            try:
                while file.write(b"x" * 4096):
                    pass
            except OSError:
                pass

    def test_no_such_fault_code_names_the_nearest(self):
        self.refused(muster("explain", "memlock_to_low", folder=self.folder), "memlock_to_low",
                     "Did you mean 'memlock_too_low'?")

    def test_file_that_is_no_topology_file(self):
        long = '<system version="1">\n' + "<cpu numaid='0'/>\n" * 1_000_000 + "</system>\n"
        for text, words in (("once upon a time\n", ["line ", "column "]), ("", ["line 1"]),
                            ("<system version='1'>\n <cpu numaid='0'>\n", ["line 2", "column "]),
                            ("<system version='2'/>", ["line 1", "version is '2'"]),
                            ("<!DOCTYPE s [<!ENTITY a 'aaaa'>]><system version='1'/>", ["document type"]),
                            ("\x7fELF\0\1\2", ["line 1"]), (long, ["16 MiB"])):
            name = self.file("t.xml", text)
            for command in (["show", name], ["lint", name], ["check", name], ["place", "--file", name]):
                self.refused(muster("topology", *command, folder=self.folder), name, *words, left=[name])
        self.refused(muster("node", "--topology", "none.xml", folder=self.folder), "none.xml", left=[name])
        self.refused(muster("topology", "lint", "none.xml", folder=self.folder), "none.xml", left=[name])

    def test_no_such_topology_command_names_the_nearest(self):
        self.refused(muster("topology", "lnt", folder=self.folder), "Did you mean 'lint'?")

    def test_more_ranks_than_gpus(self):
        self.refused(muster("topology", "place", "--root", MACHINE, "--ranks", "9", folder=self.folder), "9 ranks", "8 GPUs")

    def test_numbers_that_are_none(self):
        self.refused(muster("node", "--budget", "soon", folder=self.folder), "--budget", "soon")
        self.refused(muster("node", "--timeout", "-3", folder=self.folder), "--timeout", "-3")
        self.refused(muster("host-memory", "--threads", "0", folder=self.folder), "--threads", "'0' is not a number above 0")


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: Apache-2.0
"""Every option of every command, as --help names them: a wrong value, a file that is none, a place that cannot be written or holds
something else, a stream that is closed or full. Each gives its exit code and one sentence; no command takes or leaves a file."""
import dataclasses
import json
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/support"))
import beside  # noqa: E402
from drawn import IS_WHOLE, drawn  # noqa: E402
from muster import BIN, SOURCE, STEADY_MEMORY  # noqa: E402

NDV5 = SOURCE / "tests/machines/ndv5"
USAGE, LOST_STREAM = 2, 3
# What only people who know the source would understand.
INSIDES = re.compile(r"filesystem error|std::|\b(ENUM|UINT|FLOAT|POSITIVE)\b|\w->\d|required|At Most|Could not|terminate|what\(\)|\bin \{")
# With which words a command comes to its end here, in no time.
WORDS = {
    "node": ["--only", "limits", "--lock", "lock", "--even-if-in-use"], "launch": ["limits"], "list": [], "explain": ["limits"],
    "judge": ["report.json"], "calibrate": ["memory.json", "again.json"], "report": ["report.json"], "compare": ["memory.json", "again.json"], "profile lint": ["generic"],
    "topology show": ["topo.xml"], "topology lint": ["topo.xml"], "topology check": ["topo.xml", "--root", NDV5],
    "topology generate": ["--root", NDV5], "topology place": ["--root", NDV5],
    "fleet act": ["fleet.json"], "fleet collect": ["nodes", "--nodes", "vm"], "fleet compare": ["before.json", "fleet.json"], "fleet labels": ["--root", NDV5], "fleet summary": ["fleet.json"],
    "fleet tell": ["fleet.json", "--print"],
    "scratch": ["--dry-run", "--root", NDV5], "limits": [],
}
# These wait for servers, hosts or a signal, and are tried without them where a second is enough.
SERVERS = ("worker", "probe", "launch", "fleet act", "fleet label", "fleet night", "fleet verdict", "fleet withdraw")
# An address that refuses at once, and a second to try it.
REFUSING = ["--server", "https://127.0.0.1:1", "--token", "token"]
BRIEFLY = {
    "fleet act": ["fleet.json", "--apply", "--wait", 1, *REFUSING], "fleet night": ["--pod", "pod.json", "--deadline", 1, *REFUSING],
    "fleet verdict": ["--job", "job", "--namespace", "here", "--wait", 1, *REFUSING],
    "launch": ["--hosts", "127.0.0.2", "--port", 1, "--wait", 1, "host_allreduce"],
}
# These go on until a signal ends them, here with that exit code.
ENDLESS = {
    "fleet label": (3, ["--node", "node", "--once", *REFUSING]), "fleet withdraw": (3, ["--job", "job", "--namespace", "here", *REFUSING]),
    "worker": (0, ["--keys", "keys", "--port", 2290, "--scratch", "."]),
}
ALSO = "FORMAT=FILE"
WRONG = {ALSO: ("x", "csv=", "cvs=output", "csv=-", ""), "N": ("x", "-1", "1.5", "", "99999999999999999999"), "NUMBER": ("x", "", "1e", "nan"), "SIZE": ("x", "5Q", "-1", "")}


@dataclasses.dataclass(frozen=True)
class Option:
    command: str
    name: str
    kind: str  # "PATH", "N", "preflight|quick|full", "" for a flag
    help: str

    @property
    def is_output(self):
        return self.kind == ALSO or (self.kind == "PATH" and re.search(r"\bgoes\b", self.help) is not None)

    def to(self, file):
        return f"csv={file}" if self.kind == ALSO else file


def run(command, *words, folder=None, told_after=60, **options):
    """Ends it by SIGTERM after so many seconds."""
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
    words = [BIN / "muster", *command.split(), *map(str, words)]
    with tempfile.TemporaryDirectory() as own:  # processes of Open MPI 4 that start at the same time cannot share a folder
        env = os.environ | {"OMPI_MCA_orte_tmpdir_base": own}
        with subprocess.Popen(words, cwd=folder, stdin=subprocess.DEVNULL, text=True, env=env, **options) as process:
            try:
                said = process.communicate(timeout=told_after)
            except subprocess.TimeoutExpired:
                process.terminate()
                said = process.communicate(timeout=10)
    return subprocess.CompletedProcess(words, process.returncode, *said)


def listed(*words):
    return re.findall(r"^  (\w+)  +[A-Z]", run(" ".join(words), "--help").stdout, re.MULTILINE)


def commands():
    checks = {line.split()[0] for line in run("list").stdout.splitlines()[1:]} - {"topology"}  # whose name a command has
    for name in listed():
        yield from [f"{name} {word}" for word in listed(name)] or [name]
    yield from sorted(checks)


def options(command):
    """An option of the list of --help has its name and its kind on a line, and its help there or below."""
    text = run(command, "--help").stdout
    for entry in re.split(r"\n  (?=\S)", text)[1:]:
        found = re.match(r"(?:-\w,)?(--[\w-]+|[A-Z]+)(?: (PATH|FOLDER|FORMAT=FILE|NUMBER|N|SIZE|LIST|TEXT|[\w-]+(?:\|[\w-]+)+))?", entry)
        if found and found[1] != "--help":
            yield Option(command, found[1], found[2] or "", " ".join(entry.split()))


COMMANDS = list(commands())
ABLE = [command for command in BRIEFLY if command in COMMANDS and (command != "launch" or "host_allreduce" in COMMANDS)]
OPTIONS = [option for command in COMMANDS for option in options(command)]


class Options(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        place = tempfile.TemporaryDirectory()
        cls.addClassCleanup(place.cleanup)
        cls.given = pathlib.Path(place.name)
        run("limits", "--report", "report.json", folder=cls.given)
        run(*STEADY_MEMORY, "--report", "memory.json", folder=cls.given)
        again = json.loads((cls.given / "memory.json").read_text()) | {"run_id": "again"}  # as steady as the first
        (cls.given / "again.json").write_text(json.dumps(again))
        (cls.given / "nodes").mkdir()
        shutil.copy(cls.given / "report.json", cls.given / "nodes/vm.json")
        for name in ("before.json", "fleet.json"):
            run("fleet collect", *WORDS["fleet collect"], "--report", name, folder=cls.given)
        shutil.copy(SOURCE / "topology/ndv5-topo.xml", cls.given / "topo.xml")
        (cls.given / "token").write_text("token\n")
        (cls.given / "keys").mkdir()
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", cls.given / "keys/id_ed25519"], check=True)
        pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "node"}, "spec": {"containers": [{"name": "muster", "image": "here"}]}}
        (cls.given / "pod.json").write_text(json.dumps(pod))

    def place(self):
        """A new folder with all that commands need."""
        self.addCleanup((place := tempfile.TemporaryDirectory()).cleanup)
        return pathlib.Path(shutil.copytree(self.given, place.name, dirs_exist_ok=True))

    def words(self, command, *more):
        words = WORDS.get(command, [] if command in SERVERS else ["--root", NDV5])
        return (*more, *words) if command == "launch" else (*words, *more)

    def one_sentence(self, said, *words):
        self.assertEqual(len(said.splitlines()), 1, said)
        self.assertLess(len(said), 400, said)
        self.assertNotRegex(said, INSIDES)
        for word in words:
            self.assertIn(word, said)

    def refused(self, done, *words):
        self.assertEqual((done.returncode, done.stdout), (USAGE, ""), done.stderr)
        self.one_sentence(done.stderr, *words)

    def test_help_names_every_option_in_plain_words(self):
        self.assertGreater(len(COMMANDS), 30)
        self.assertGreater(len(OPTIONS), 300)
        self.assertGreater(sum(option.is_output for option in OPTIONS), 30)
        for command in COMMANDS:
            done = run(command, "--help")
            self.assertEqual((done.returncode, done.stderr), (0, ""), command)
            self.assertNotRegex(done.stdout, INSIDES, command)
            examples = re.findall(r"^  (muster .*)$", done.stdout.partition("Examples:")[2], re.MULTILINE)
            self.assertEqual(len(examples), 2, command)
            known = {option.name for option in OPTIONS if option.command == command} | {"--json", "--quiet"}
            for example in examples:
                self.assertIn(f"muster {command}", example)
                self.assertEqual(set(re.findall(r"(--[\w-]+)", example)) - known, set(), example)

    def test_wrong_values(self):
        def check(option, value):
            words = [option.name] if value is None else [option.name, value]
            words = words if option.name.startswith("-") else words[1:]
            self.refused(run(option.command, *self.words(option.command, *words), folder=self.place()), option.name)

        cases = [(option, value) for option in OPTIONS if option.name.startswith("-")
                 for value in (*WRONG.get(option.kind, ("x",) if "|" in option.kind else ()), *([None] if option.kind else []))
                 if (option.command, value) != ("launch", None)]  # takes its check for the value
        self.each(check, cases)

    def test_misspelt_options(self):
        def check(option):
            wrong = option.name[:-1] + ("x" if option.name[-1] != "x" else "y")
            self.refused(run(option.command, *self.words(option.command, wrong), folder=self.place()), wrong, "Did you mean '--")

        self.each(check, [(option,) for option in OPTIONS if len(option.name) > 5 and option.name.startswith("--")])

    def test_what_is_no_file(self):
        def check(option, made):
            folder = self.place()
            made(folder / "odd")
            words = [option.name, "odd"] if option.name.startswith("-") else ["odd"]
            base = self.words(option.command) if option.name.startswith("-") else ()
            words = (*words, *base) if option.command == "launch" else (*base, *words)
            done = run(option.command, *words, folder=folder, told_after=2 if option.command == "worker" else 60)
            self.assertIn(done.returncode, (0, 1, 2, 3, 77), done.stderr)
            if done.returncode == USAGE:
                self.refused(done)
            self.assertNotRegex(done.stderr + done.stdout, INSIDES)
            self.assertEqual(list(folder.glob(".muster-*")), [])

        makers = (lambda path: None, pathlib.Path.mkdir, os.mkfifo, lambda path: path.symlink_to("nothing"), lambda path: path.write_bytes(b"\0\xff{"))
        self.each(check, [(option, made) for option in OPTIONS for made in makers
                          if option.kind in ("PATH", "FOLDER")])

    def test_outputs_take_nothing(self):
        def check(option, kind):
            folder = self.place()
            output, text = folder / "output", "mine\n"
            target = output
            if kind == "input":
                output = target = folder / "report.json"
                text = target.read_text()
            elif kind == "missing folder":
                output = folder / "none/output"
            elif kind == "folder":
                output.mkdir()
            elif kind == "pipe":
                os.mkfifo(output)
            elif kind == "read-only folder":
                output = pathlib.Path("/proc/output")
            else:
                output.write_text(text)
            if kind == "link":
                (output := folder / "link").symlink_to(target)
            before = sorted(path.name for path in folder.rglob("*"))
            words = ["--topology", output] if kind == "input" and option.command in ("node", "limits") else []
            given = option.name, option.to(output)
            words = [*given, *BRIEFLY[option.command]] if option.command in BRIEFLY else self.words(option.command, *words, *given)
            done = run(option.command, *words, folder=folder)
            self.refused(done, option.name, output.name)
            self.assertEqual(sorted(path.name for path in folder.rglob("*")), before)
            self.assertTrue(not target.is_file() or target.read_text() == text)

        kinds = "somebody's", "link", "folder", "pipe", "missing folder", "read-only folder"
        cases = [(option, kind) for option in OPTIONS for kind in kinds if option.is_output and (option.command not in SERVERS or option.command in ABLE)]
        cases += [(option, "input") for option in OPTIONS if option.is_output and option.command in ("judge", "calibrate", "node", "limits")]
        self.each(check, cases)

    def test_streams_that_are_lost(self):
        def check(command, how):
            folder = self.place()
            words = self.words(command) if how != "help" else ("--help",)
            if how == "stderr full":
                with open("/dev/full", "w") as full:
                    done = run(command, *self.words(command, "--frobnicate"), folder=folder, stderr=full)
                self.assertEqual(done.returncode, LOST_STREAM, done.stdout)
                return self.one_sentence(done.stdout, "stderr cannot be written")
            if how == "closed":
                done = run(command, *words, folder=folder, stdout=None, preexec_fn=lambda: os.close(1))
            elif how == "limit of size":
                with open(folder / "stdout", "w") as limited:
                    limited.write("x" * 4096)
                    limited.flush()
                    done = run(command, *words, folder=folder, stdout=limited,
                               preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)))
                self.assertIn(done.returncode, (USAGE, LOST_STREAM), done.stderr)
                return self.one_sentence(done.stderr.splitlines()[-1])
            else:
                with open("/dev/full", "w") as full:
                    done = run(command, *words, folder=folder, stdout=full)
            self.assertEqual(done.returncode, LOST_STREAM, done.stderr)
            self.assertIn("stdout cannot be written", done.stderr.splitlines()[-1])
            self.assertNotRegex(done.stderr, INSIDES)

        able = [command for command in COMMANDS if command not in SERVERS]
        cases = [(command, how) for command in able for how in ("full", "closed", "limit of size")]
        cases += [(command, how) for command in COMMANDS for how in ("help", "stderr full")]
        self.each(check, cases)

    def test_servers_that_refuse(self):
        def check(command):
            folder = self.place()
            done = run(command, *BRIEFLY[command], folder=folder)
            self.assertEqual(done.returncode, 3, done.stderr)
            self.assertRegex(done.stdout + done.stderr, "127.0.0.[12]")
            self.assertRegex(done.stdout + done.stderr, "does not answer|did not answer")
            self.assertNotRegex(done.stdout + done.stderr, INSIDES)
            self.assertEqual(list(folder.glob(".muster-*")), [])

        self.each(check, [(command,) for command in ABLE])
        done = run("probe", "--port", 1)
        self.assertEqual(done.returncode, 1)
        self.one_sentence(done.stdout, "port 1")

    def test_told_to_stop(self):
        def check(command):
            folder = self.place()
            code, words = ENDLESS[command]
            before = sorted(path.name for path in folder.rglob("*"))
            done = run(command, *words, folder=folder, told_after=2)
            self.assertEqual((done.returncode, done.stdout), (code, ""), done.stderr)
            self.assertNotRegex(done.stderr, INSIDES)
            self.assertEqual(sorted(path.name for path in folder.rglob("*")), before)

        self.each(check, [(command,) for command in ENDLESS if command in COMMANDS])

    def each(self, check, cases):
        cases = drawn(min(24, len(cases)), cases)
        for start in range(0, len(cases), 8):
            beside.each(self, check, cases[start:start + 8])


if __name__ == "__main__":
    print(f"{len(COMMANDS)} commands, {len(OPTIONS)} options{', all of them' if IS_WHOLE else ''}")
    unittest.main()

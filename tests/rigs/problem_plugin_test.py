# SPDX-License-Identifier: Apache-2.0
"""The custom plugin of node-problem-detector: what it says of a report, within the limits that node-problem-detector has."""
import datetime
import json
import os
import pathlib
import random
import stat
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/support"))
import hostile  # noqa: E402
from beside import each, main  # noqa: E402
from muster import SOURCE, node  # noqa: E402

PLACE = SOURCE / "healthcheck/deploy/node-problem-detector"
EXAMPLES = {name: json.loads((SOURCE / f"results/examples/{name}.json").read_text()) for name in ("pass", "warn", "unknown", "fail")}
LONGEST = 80  # bytes
KNOWN = ("pass", "warn")


def ago(**time_ago):
    return f"{datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(**time_ago):%Y-%m-%dT%H:%M:%S.123Z}"


class Plugin(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = pathlib.Path(place.name)

    def file(self, name, text):
        path = self.folder / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def report(self, kind="fail", **fields):
        """As muster writes it, of an hour ago."""
        made = EXAMPLES[kind] | {"started": ago(hours=1)} | fields
        return self.file(f"{random.getrandbits(60)}.json", json.dumps(made, indent=2, ensure_ascii=False) + "\n")

    def says(self, *words):
        """The exit code and the words, which keep to what node-problem-detector takes. It starts no program of muster."""
        run = subprocess.run([PLACE / "muster-problem.sh", *map(str, words)], stdin=subprocess.DEVNULL, capture_output=True, check=False,
                             env={"PATH": "/usr/bin:/bin"}, timeout=20)
        self.assertIn(run.returncode, (0, 1), run.stderr)
        said = run.stdout.strip()
        self.assertTrue(said, "nothing is said")
        self.assertLessEqual(len(said), LONGEST)
        self.assertEqual(run.stdout, said + b"\n")
        self.assertEqual(run.stderr, b"")
        return run.returncode, said.decode()  # which refuses half a character

    def worst(self, sentence, **fields):
        return self.report(summary=f"1 check failed, 8 passed; worst: {sentence}", **fields)

    def test_the_culprit_comes_first_without_the_host(self):
        for sentence, said in (
                ("limits.open_files of host gpu-7: 512 is below 1024", "limits.open_files: 512 is below 1024"),
                ("ib_link.state of host gpu-7, nic mlx5_3: the link is DOWN", "ib_link.state of nic mlx5_3: the link is DOWN"),
                ("kernel_log.xid of gpu 0000:18:00.0: XID 79; worst: all", "kernel_log.xid of gpu 0000:18:00.0: XID 79; worst: all"),
                ('cpu.model: "a" \\ b', 'cpu.model: "a" \\ b'), ("a\nb\x1b[31m", "a\\nb\\u001b[31m")):
            with self.subTest(sentence):
                self.assertEqual(self.says(26, self.worst(sentence)), (1, said))

    def test_a_good_report_is_no_problem_and_every_other_one_is(self):
        for kind in EXAMPLES:
            with self.subTest(kind):
                code, said = self.says(26, self.report(kind))
                self.assertEqual(code, 0 if kind in KNOWN else 1)
                self.assertEqual(said.startswith("unknown: "), kind == "unknown")
        for status in ("skip", "", "Pass", "pass ", "good"):
            with self.subTest(status):
                code, said = self.says(26, self.report("pass", status=status))
                self.assertEqual((code, said.startswith("unknown: ")), (1, True))

    def test_the_end_of_the_last_line_does_not_matter(self):
        whole = self.report("pass").read_text()
        for end in ("", "\n"):
            self.assertEqual(self.says(26, self.file("ended.json", whole.strip() + end))[0], 0)

    def test_what_nobody_knows_is_never_fit(self):
        whole = self.report("pass").read_text()
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)

        def check(words, said):
            code, words_said = self.says(*words)
            self.assertEqual((code, words_said[:len(said)]), (1, said), words)

        each(self, check, [
            ((26, self.folder / "none.json"), "unknown: there is no report"), ((26, self.folder), "unknown: there is no report"),
            ((26, pipe), "unknown: the report could not be read within 3 s"),
            *(((26, self.file(f"odd{number}.json", text)), "unknown: this is not a whole report") for number, text in enumerate((
                "", "{}", "\0" * 5000, b"\xff\xfe" * 500, whole[:-2], whole[:-3], whole[:400], json.dumps(json.loads(whole)), whole + "{\n", whole * 2 + "x",
                whole.replace('  "status": "pass"', '    "status": "pass"', 1), whole.replace(json.loads(whole)["started"], "yesterday; reboot")))),
            *(((26, self.report("pass", started=time)), said) for time, said in (
                (ago(hours=27), "unknown: the newest report is older than 26 h"), (ago(days=400), "unknown: the newest report is older than 26 h"),
                (ago(hours=-1), "unknown: the report is of the future"),
                *((odd, "unknown: this is not a whole report") for odd in ("", "now", "TZ=Z now", "2026-99-99T00:00:00Z")))),
            *((words, "the plugin is set up wrongly") for words in ((), (26,), ("", "x"), (0, "x"), ("1.5", "x"), (-1, "x"), ("a[$(reboot)]", "x")))])
        self.assertEqual(self.says(28, self.report("pass", started=ago(hours=27)))[0], 0)
        self.assertEqual(self.says(26, self.report("pass", started=ago(minutes=-2)))[0], 0)  # a clock that is a little ahead

    def test_no_length_cuts_a_character(self):
        draw = random.Random(time.time_ns())
        sentences = ["".join(draw.choice("aé漢😀\u0301 ") for _ in range(draw.randrange(40, 90))) for _ in range(20)]
        sentences += ["a  ", " é ", f"{'x' * 76}     y"]
        sentences += [f"{'x' * length}{letter * 40}" for length in range(74, 81) for letter in ("é", "😀")]

        def check(sentence):
            code, said = self.says(26, self.worst(sentence))
            self.assertEqual(code, 1)
            if len(sentence.strip().encode()) > LONGEST:
                self.assertGreater(len(said.encode()), LONGEST - 4)
                self.assertEqual(said, f"{sentence.strip()[:len(said) - 1]}…")
            else:
                self.assertEqual(said, sentence.strip())

        each(self, check, sentences)

    def test_nothing_in_a_hostile_report_is_run_or_breaks_the_line(self):
        def check(seed):
            made = json.loads(hostile.report(seed, EXAMPLES["fail"]), strict=False) | {"started": ago(hours=1), "status": "fail"}
            self.assertEqual(self.says(26, self.file(f"{seed}.json", json.dumps(made, indent=2, ensure_ascii=False)))[0], 1)

        each(self, check, range(20))
        raw = self.worst("cpu.model: QQQ").read_text().replace("QQQ", "a\x1b[31m\tb\x7f")
        self.assertEqual(self.says(26, self.file("raw.json", raw)), (1, "cpu.model: a?[31m?b?"))
        for text in ("", " ", "\t", "$(touch /tmp/x)", "`reboot`", "%s%n", "-n", "\\x41", "*", "x" * 65536):
            with self.subTest(text[:20]):
                self.assertEqual(self.says(26, self.worst(text))[0], 1)

    def test_what_a_run_writes_beside_its_report_is_read(self):
        newest = self.folder / "newest.json"
        node("--only", "limits", "--also", f"json={newest}", folder=self.folder)
        before = newest.read_bytes()
        verdict = json.loads(before)["status"]
        self.assertEqual(self.says(26, newest)[0], 0 if verdict in KNOWN else 1)
        self.assertEqual(newest.read_bytes(), before)

    def test_the_configuration_keeps_to_the_contract(self):
        made = json.loads((PLACE / "muster-problem.json").read_text())
        rule, = made["rules"]
        condition, = made["conditions"]
        self.assertEqual((made["plugin"], rule["type"], rule["condition"], condition["type"]), ("custom", "permanent", *["MusterProblem"] * 2))
        self.assertNotRegex(condition["reason"], "(?i)fit|healthy|good|pass")  # a time-out shows it, too
        self.assertNotEqual(rule["reason"], condition["reason"])
        settings = made["pluginConfig"]
        self.assertEqual(settings["max_output_length"], LONGEST)
        self.assertIs(settings["skip_initial_status"], True)
        self.assertIs(settings["enable_message_change_based_condition_update"], True)
        seconds = [int(text.removesuffix("s")) for text in (rule["timeout"], settings["timeout"], settings["invoke_interval"])]
        self.assertEqual(seconds, sorted(seconds))
        self.assertGreater(seconds[0], 3 + 1)  # those that the script may take to read
        self.assertEqual(rule["path"], "/usr/share/muster/deploy/node-problem-detector/muster-problem.sh")
        self.assertTrue((PLACE / "muster-problem.sh").stat().st_mode & stat.S_IXOTH)


if __name__ == "__main__":
    main()

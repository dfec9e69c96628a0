# SPDX-License-Identifier: Apache-2.0
"""`muster fleet tell` before listeners of every kind: each is told once, nothing secret is said, and every wait has an end."""
import itertools
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/support"))
sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/rigs"))
from api_server import Authority  # noqa: E402
from beside import each  # noqa: E402
from fleet import main  # noqa: E402
from listener import Handler, Listener, events, is_signed  # noqa: E402
from muster import BIN, SOURCE, expect_refused, muster, of_host  # noqa: E402
from schema import Schema  # noqa: E402

NUMBERS = itertools.count()  # of files, for test cases of several threads
KEY = b"a key of the rig, SECRET-KEY"
HEADERS = "Authorization: Bearer SECRET-WORD\nX-Room:  gpu fleet \n"
EVENT = Schema(SOURCE / "results/event.schema.json")
EXAMPLES = {name: json.loads((SOURCE / f"results/examples/{name}.json").read_text()) for name in ("pass", "warn", "unknown", "fail")}
NO_PROXY = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}


class Tell(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        place = tempfile.TemporaryDirectory()
        cls.addClassCleanup(place.cleanup)
        cls.shared = pathlib.Path(place.name)
        cls.authority = Authority(cls.shared)
        cls.pair = cls.authority.sign("server")
        nodes = cls.shared / "nodes"
        nodes.mkdir()
        for host, kind in (("bad", "fail"), ("good", "pass"), ("odd", "unknown")):
            (nodes / f"{host}.json").write_text(json.dumps(of_host(EXAMPLES[kind], host)))
        made = muster("fleet", "collect", nodes, "--nodes", "bad,good,odd,gone", "--since", "2000-01-01T00:00:00Z", folder=cls.shared)
        assert made.returncode == 1, made.stderr
        cls.report = cls.shared / "muster-fleet.json"
        cls.id = json.loads(cls.report.read_text())["run_id"]
        (cls.shared / "key").write_bytes(KEY + b"\n")
        (cls.shared / "headers").write_text(HEADERS)

    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = pathlib.Path(place.name)

    def listener(self, *plays, tls=False):
        made = Listener(*plays, pair=self.pair if tls else None)
        self.addCleanup(made.close)
        return made

    def words(self, listener, *options, state="state"):
        url = self.folder / f"url{next(NUMBERS)}"
        url.write_text(f"{getattr(listener, 'url', listener)}\n")
        more = ["--state", self.folder / state] if state else []
        return [BIN / "muster", "fleet", "tell", self.report, "--url-file", url, "--allow-http", *more, *options]

    def tell(self, listener, *options, code=0, most=8, **more):
        start = time.monotonic()
        done = subprocess.run([*map(str, self.words(listener, *options, **more))], cwd=self.folder, env=NO_PROXY, capture_output=True,
                              text=True, check=False, stdin=subprocess.DEVNULL, timeout=60)
        self.seconds = time.monotonic() - start
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        self.assertLess(self.seconds, most)
        self.assertNotRegex(done.stdout + done.stderr, "SECRET|127.0.0.1")
        self.assertEqual(len((done.stderr if code else done.stdout).splitlines()), 1, done.stdout + done.stderr)
        return done.stderr if code else done.stdout

    def test_an_event_is_told_by_tls_signed_and_once(self):
        listener = self.listener(tls=True)
        options = ("--ca", self.authority.certificate, "--key-file", self.shared / "key", "--header-file", self.shared / "headers")
        self.assertIn(f"of {self.id}\n", self.tell(listener, *options))
        self.assertIn(f"of {self.id} before\n", self.tell(listener.url, *options))
        post, = listener.posts
        path, headers, body, _ = post
        self.assertEqual(path, "/hook/SECRET-IN-PATH?sig=SECRET-IN-QUERY")
        self.assertTrue(is_signed(post, KEY))
        self.assertFalse(is_signed((path, headers, body + b" ", 0), KEY))
        self.assertLess(abs(int(headers["webhook-timestamp"]) - time.time()), 60)
        self.assertEqual((headers["Authorization"], headers["X-Room"], headers["webhook-id"]), ("Bearer SECRET-WORD", "gpu fleet", self.id))
        self.assertEqual(headers["Content-Type"], "application/cloudevents+json; charset=UTF-8")
        event = json.loads(body)
        EVENT.validate(event)
        report = json.loads(self.report.read_text())
        self.assertEqual((event["specversion"], event["id"], event["time"], event["status"]), ("1.0", self.id, report["made"], "fail"))
        self.assertEqual({node["name"]: node["state"] for node in event["data"]["nodes"]}, {"bad": "fail", "gone": "missing", "odd": "unknown"})
        self.assertEqual((event["data"]["counts"]["pass"], event["data"]["node_count"], event["data"]["summary"]), (1, 4, report["summary"]))
        for file in (self.folder / "state").iterdir():
            self.assertNotIn("SECRET", file.read_text())

    def test_what_is_not_taken_is_tried_again_and_no_longer_than_told(self):
        def later(plays, posts, code, least, options=(), words=""):
            listener = self.listener(*plays)
            start = time.monotonic()
            said = self.tell(listener, *options, code=code, state=f"state {listener.server.server_port}")
            self.assertEqual(len(listener.posts), posts, said)
            self.assertGreaterEqual(time.monotonic() - start, least)
            self.assertIn(words, said)
            self.assertEqual(len({body for _, _, body, _ in listener.posts}), 1)

        each(self, later, [
            ((500, 200), 2, 0, 1), ((503, (429, [("Retry-After", "1")]), 200), 3, 0, 3), (((429, [("Retry-After", "3")]), 200), 2, 0, 3),
            (((429, [("Retry-After", "3600")]),), 1, 3, 0, (), "it answers 429; the next try would be in 3600 s, after the 60 s of --wait"),
            ((500,), 2, 3, 1, ("--tries", "2"), "it answers 500; that was the last of 2 tries"),
            ((500,), 2, 3, 0.9, ("--wait", "2"), "after the 2 s of --wait"),
            ((404,), 1, 3, 0, (), "it answers 404; it is not asked again"), ((410,), 1, 3, 0), ((501,), 1, 3, 0),
            (((400, [], b"invalid_blocks"),), 1, 3, 0, (), "it answers 400 (invalid_blocks)"),
            (((400, [], b"SECRET-IN-PATH"),), 1, 3, 0), (((403, [], b"hook"),), 1, 3, 0, (), "it answers 403;"),
        ])

    def test_a_night_that_was_not_taken_is_told_by_the_next_run(self):
        listener = self.listener(404, 200)
        self.tell(listener, code=3)
        self.tell(listener.url)
        self.tell(listener.url)
        self.assertEqual(len(listener.posts), 2)

    def test_each_listener_of_one_folder_is_told(self):
        listeners = [self.listener(), self.listener()]
        for _ in range(2):
            for listener in listeners:
                self.tell(listener.url)
        self.assertEqual([len(listener.posts) for listener in listeners], [1, 1])

    def test_a_redirect_is_not_followed(self):
        elsewhere = self.listener()
        for code in (301, 302, 307, 308):
            listener = self.listener((code, [("Location", elsewhere.url)]))
            self.assertIn(f"it answers {code}, a redirect, which is not followed", self.tell(listener, code=3))
            self.assertEqual((len(listener.posts), elsewhere.posts, elsewhere.others), (1, [], []))

    def test_no_more_than_a_megabyte_of_an_answer_is_read(self):
        for play in (Handler.endless, Handler.endless_head):
            listener = self.listener(play)
            self.tell(listener, most=3)
            self.assertEqual(len(listener.posts), 1)
            self.assertLess(listener.sent, 16 << 20, "sockets hold a few MB")

    def test_who_is_down_or_not_trusted_is_a_warning(self):
        down = self.listener()
        down.close()
        self.assertIn("; that was the last of 2 tries", self.tell(down, "--tries", "2", code=3))
        stranger = Listener(pair=Authority(self.folder, "other").sign("stranger"))
        self.addCleanup(stranger.close)
        misnamed = Listener(pair=self.authority.sign("misnamed", "DNS:elsewhere"))
        self.addCleanup(misnamed.close)
        for listener in (stranger, misnamed):
            said = self.tell(listener, "--ca", self.authority.certificate, code=3, most=3)
            self.assertRegex(said, r"SSL.*it is not asked again")
            self.assertEqual(listener.posts, [])
        self.assertRegex(self.tell(self.listener(tls=True), code=3, most=3), "SSL")

    def test_what_may_have_arrived_is_not_sent_again_unless_told_so(self):
        for number, play in enumerate((Handler.drop, Handler.hang)):
            listener = self.listener(play, play, 200)
            state = f"state{number}"
            said = self.tell(listener, "--wait", "1", code=3, state=state)
            self.assertIn("it may have arrived, so it is not sent again; --when-in-doubt again sends it", said)
            said = self.tell(listener.url, code=3, state=state)
            self.assertIn("which may have arrived", said)
            self.assertEqual(len(listener.posts), 1)
            self.tell(listener.url, "--when-in-doubt", "again", code=0 if number == 0 else 3, state=state, *() if number == 0 else ("--wait", "1"))
        self.assertEqual({event["id"] for event in events(listener)}, {self.id})

    def killed(self, listener, *options):
        with subprocess.Popen([*map(str, self.words(listener, *options))], env=NO_PROXY, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            self.assertTrue(listener.came.wait(20))
            process.send_signal(signal.SIGKILL)
            process.communicate()

    def test_after_a_kill_the_night_is_told_once(self):
        listener = self.listener(Handler.hang, 200)
        self.killed(listener)
        self.assertIn("which may have arrived: --when-in-doubt again", self.tell(listener.url, code=3))
        self.assertEqual(len(listener.posts), 1)
        self.tell(listener.url, "--when-in-doubt", "again")
        self.tell(listener.url, "--when-in-doubt", "again")
        self.assertEqual([event["id"] for event in events(listener)], [self.id] * 2)

    def test_a_kill_before_it_is_sent_leaves_no_doubt(self):
        silent = Listener()  # takes connections, and speaks no TLS
        self.addCleanup(silent.close)
        words = self.words(silent.url.replace("http:", "https:"), "--tries", "99")
        with subprocess.Popen([*map(str, words)], env=NO_PROXY, stderr=subprocess.DEVNULL) as process:
            end = time.monotonic() + 20
            while not list(self.folder.glob("state/*.lock")) and time.monotonic() < end:
                time.sleep(0.05)
            time.sleep(0.3)
            process.kill()
        self.assertEqual([path.name for path in (self.folder / "state").iterdir() if path.suffix != ".lock"], [])

    def test_a_signal_ends_a_wait(self):
        listener = self.listener((503, [("Retry-After", "50")]))
        with subprocess.Popen([*map(str, self.words(listener))], env=NO_PROXY, stderr=subprocess.PIPE, text=True) as process:
            self.assertTrue(listener.came.wait(20))
            time.sleep(0.3)
            process.terminate()
            said = process.communicate(timeout=5)[1]
        self.assertEqual(process.returncode, 3)
        self.assertIn("it answers 503; a signal ended the wait", said)

    def test_two_at_once_are_not_two(self):
        listener = self.listener(Handler.hang)
        with subprocess.Popen([*map(str, self.words(listener, "--wait", "2"))], env=NO_PROXY, stderr=subprocess.DEVNULL):
            self.assertTrue(listener.came.wait(20))
            self.assertIn("another muster fleet tell is telling", self.tell(listener.url, code=2))
        self.assertEqual(len(listener.posts), 1)

    def test_chats_and_redaction(self):
        listener = self.listener()
        self.tell(listener, "--template", "slack", "--redact")
        _, headers, body, _ = listener.posts[0]
        self.assertEqual((headers["Content-Type"], headers["ce-id"], headers["ce-specversion"], headers["ce-status"]),
                         ("application/json", self.id, "1.0", "fail"))
        self.assertRegex(body.decode(), r"host-\d")
        self.assertNotRegex(body.decode(), r'\b(bad|odd|gone)\b')
        printed = muster("fleet", "tell", self.report, "--template", "teams", "--print", folder=self.folder)
        self.assertEqual((printed.returncode, printed.stderr), (0, ""))
        self.assertEqual(json.loads(printed.stdout)["attachments"][0]["contentType"], "application/vnd.microsoft.card.adaptive")

    def test_bad_input_is_refused_before_anything_is_sent(self):
        listener = self.listener()
        def file(text):
            made = self.folder / f"file{next(NUMBERS)}"
            made.write_bytes(text if isinstance(text, bytes) else text.encode())
            return made

        old = file(json.dumps(json.loads(self.report.read_text()) | {"made": "2026-01-01T00:00:00Z"}))
        evil = file(json.dumps(json.loads(self.report.read_text()) | {"run_id": "x\r\nX-Evil: SECRET"}))
        url = file(listener.url)
        given = (self.report, "--allow-http", "--url-file", url)
        for words, said in (
                ((self.report,), "--url-file is missing"), ((self.report, "--url-file", url), "--allow-http"), ((old, *given[1:]), "2026-01-01"),
                ((evil, *given[1:]), "run_id"), (("nowhere", *given[1:]), "nowhere"), ((*given, "--source", "a b"), "--source"),
                *(((self.report, "--url-file", file(text)), "--url-file") for text in ("", "SECRET", "ftp://SECRET/", "https://a b", "https://SECRET\nhttps://b")),
                *(((*given, "--key-file", file(text)), "--key-file") for text in ("", "SECRET", "whsec_SECRET-SECRET-SECRET-SECRET")),
                *(((*given, "--header-file", file(text)), "--header-file: line 1") for text in (
                    "SECRET", ": SECRET", "A B: SECRET", "Webhook-ID: SECRET", "Host: SECRET", "ce-id: SECRET", b"X: SECRET\x01")),
                ((*given, "--template", "slak"), "slak"), ((*given, "--template", file("{}")), "--template"), ((*given, "--tries", "0"), "--tries"),
                ((*given, "--wait", "0"), "--wait"), ((*given, "--when-in-doubt", "x"), "--when-in-doubt"), ((*given, "--state", file("")), "--state"),
                ((*given, "--state", self.folder / "no/such"), "--state")):
            with self.subTest(words[1:]):
                done = muster("fleet", "tell", *words, folder=self.folder, env=NO_PROXY)
                expect_refused(self, done, said)
                self.assertNotIn("SECRET", done.stderr.replace("x  X-Evil: SECRET", ""))
        self.assertEqual(listener.posts, [])


if __name__ == "__main__":
    main()

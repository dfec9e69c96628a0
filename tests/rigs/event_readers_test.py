# SPDX-License-Identifier: Apache-2.0
"""Readers that we did not write take what `muster fleet tell` sends, also of hostile reports: the SDK of CloudEvents, the library of
Standard Webhooks, Slack's models of blocks and the validator of Adaptive Cards. pip and npm bring them, pinned, for this test alone."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/support"))
sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/rigs"))
import hostile  # noqa: E402
from fetched import wheels  # noqa: E402
from listener import Listener  # noqa: E402
from muster import SOURCE, muster, of_host  # noqa: E402

WHEELS = ("cloudevents==2.2.0", "standardwebhooks==1.1.0", "slack_sdk==3.48.0")
CARDS = "adaptivecards@3.0.6"
HOSTILE = 40
KEY = "whsec_bXVzdGVyIHRlbGxzIGEgbGlzdGVuZXIgb25jZQ=="
# Reads what was posted, in a Python that has the wheels; prints the events, or what is wrong, as JSON.
READER = """
import json, sys
from cloudevents.core.bindings.http import HTTPMessage, from_http_event
from slack_sdk.models.blocks import Block
from standardwebhooks.webhooks import Webhook

found = []
for kind, headers, body in json.load(sys.stdin):
    Webhook(sys.argv[1]).verify(body, headers)
    try:
        Webhook(sys.argv[1]).verify(body + " ", headers)
        found.append("a changed body is taken")
    except Exception:
        pass
    event = from_http_event(HTTPMessage({name.lower(): value for name, value in headers.items()}, body.encode()))
    data = event.get_data()
    if kind == "slack":
        for block in data["blocks"]:
            Block.parse(block).validate_json()
            texts = [block["text"]] if "text" in block else block["elements"]
            assert all(0 < len(text["text"]) <= 3000 and text["type"] == "plain_text" for text in texts), block
    found.append([kind, event.get_id(), event.get_type(), event.get_source(), event.get_time().isoformat(), event.get_extension("status"), data])
print(json.dumps(found))
"""
CARD_READER = """
global.self = global.window = global;  // it is made for browsers, and needs none to read a card
const cards = require("adaptivecards/dist/adaptivecards.js");
const found = JSON.parse(require("fs").readFileSync(0)).map((text) => {
  const context = new cards.SerializationContext();
  const card = new cards.AdaptiveCard();
  card.parse(JSON.parse(text), context);
  const wrong = Array.from({length: context.eventCount}, (_, at) => context.getEventAt(at).message);
  const items = Array.from({length: card.getItemCount()}, (_, at) => card.getItemAt(at).getJsonTypeName());
  return [wrong.concat(card.validateProperties().validationEvents.map((each) => each.message)), items];
});
console.log(JSON.stringify(found));
"""


class EventReaders(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        place = tempfile.TemporaryDirectory()
        cls.addClassCleanup(place.cleanup)
        cls.folder = pathlib.Path(place.name)
        cls.tools = cls.folder / "tools"
        wheels(cls.tools, *WHEELS)
        subprocess.run(["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", cls.folder, CARDS], check=True, timeout=300)
        (cls.folder / "key").write_text(KEY + "\n")
        cls.posts = []
        for number, report in enumerate(cls.reports()):
            for kind in ("event", "slack", "teams"):
                cls.tell(kind, report, number)

    @classmethod
    def reports(cls):
        """Of a fleet of every example, and of fleets whose nodes an attacker wrote."""
        now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        examples = [json.loads(file.read_text()) for file in sorted((SOURCE / "results/examples").glob("*.json"))]
        kinds = {"examples": [json.dumps(of_host(example, f"gpu-{number}") | {"run_id": f"r{number}", "started": now})
                              for number, example in enumerate(examples)]}
        for first in range(0, HOSTILE, 20):
            kinds[f"hostile{first}"] = [json.dumps(json.loads(hostile.report(seed, examples[seed % len(examples)]), strict=False) |
                                                   {"run_id": f"h{seed}", "started": now}) for seed in range(first, first + 20)]
        for name, texts in kinds.items():
            folder = cls.folder / name
            folder.mkdir()
            for number, text in enumerate(texts):
                (folder / f"{number}.json").write_text(text)
            report = cls.folder / f"{name}-fleet.json"
            done = muster("fleet", "collect", folder, "--nodes", "gpu-[0-2]", "--report", report, folder=cls.folder)
            assert done.returncode in (1, 3), done.stderr
            yield report

    @classmethod
    def tell(cls, kind, report, number):
        listener = Listener()
        (cls.folder / "url").write_text(listener.url)
        words = [] if kind == "event" else ["--template", kind]
        done = muster("fleet", "tell", report, "--url-file", "url", "--allow-http", "--key-file", "key", *words, folder=cls.folder)
        listener.close()
        assert (done.returncode, done.stderr) == (0, ""), done.stderr
        (_, headers, body, _), = listener.posts
        cls.posts.append((kind, headers, body.decode()))

    def test_the_libraries_of_cloudevents_webhooks_and_slack_read_all(self):
        done = subprocess.run([sys.executable, "-c", READER, KEY], env=os.environ | {"PYTHONPATH": str(self.tools)}, input=json.dumps(self.posts),
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        found = json.loads(done.stdout)
        self.assertEqual([each[0] for each in found], [kind for kind, _, _ in self.posts])
        for (kind, _, body), (_, name, of_type, source, made, status, data) in zip(self.posts, found):
            self.assertEqual((of_type, source, status), ("muster.fleet.report", "/muster/fleet", "fail"))
            self.assertRegex(name, "^[0-9a-f]{16}$")
            self.assertLess(abs(time.time() - time.mktime(time.strptime(made[:19], "%Y-%m-%dT%H:%M:%S")) + time.timezone), 3600)
            self.assertEqual(data, json.loads(body)["data"] if kind == "event" else json.loads(body))
            self.assertLess(len(body), 64000)

    def test_the_reader_of_adaptive_cards_takes_every_card(self):
        cards = [json.dumps(json.loads(body)["attachments"][0]["content"]) for kind, _, body in self.posts if kind == "teams"]
        self.assertGreater(len(cards), 2)
        wrong = json.dumps({"type": "AdaptiveCard", "version": "1.4", "body": [{"type": "RichTextBlock", "inlines": [{"type": "NoRun"}]}, {"type": "NoBlock"}]})
        done = subprocess.run(["node", "-e", CARD_READER], cwd=self.folder, input=json.dumps([*cards, wrong]), capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        *found, (of_wrong, _) = json.loads(done.stdout)
        self.assertTrue(of_wrong)
        for events, items in found:
            self.assertEqual((events, set(items)), ([], {"RichTextBlock"}))
            self.assertGreater(len(items), 3)


if __name__ == "__main__":
    unittest.main()

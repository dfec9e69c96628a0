# SPDX-License-Identifier: Apache-2.0
"""One night and all who listen to it at once: label and taint, condition, Events, OpenMetrics' file, a Pushgateway, a webhook, ticket
and JUnit. One is down, one is slow, one refuses: the verdict stands, and each is told once, the others when they are back."""
import concurrent.futures
import itertools
import json
import os
import subprocess
import sys
import time
import types
import unittest
import xml.etree.ElementTree as ElementTree

sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/support"))
sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/rigs"))
import act_test  # noqa: E402
import night_test  # noqa: E402
from api_server import NODES, World  # noqa: E402
from drawn import IS_WHOLE, drawn  # noqa: E402
from fetched import program  # noqa: E402
from fleet import Fleet, Started, main  # noqa: E402
from listener import Handler, Listener, is_signed  # noqa: E402
from muster import BIN, muster  # noqa: E402
from serving import answer, serving  # noqa: E402

KEY = b"a key of sixteen letters or more"
FORMS = {"openmetrics": "muster.prom", "junit": "night.xml", "ticket": "ticket.txt"}
TROUBLES = ("down", "slow", "refuses")
LISTENERS = ("act", "webhook", "gateway")
FATES = {"bad": ("fail", 1), "good": ("pass", 0), "odd": ("unknown", 3)}
DOWN = types.SimpleNamespace(url="https://127.0.0.1:1")
# Of a report, what no two runs have alike.
OF_A_RUN = {"run_id", "made", "since", "started", "path"}


def lasting(part):
    if isinstance(part, dict):
        return {name: lasting(value) for name, value in part.items() if name not in OF_A_RUN}
    return [lasting(each) for each in part] if isinstance(part, list) else part


class Listening(Fleet):
    def night(self, name, *also, meddle=lambda: None):
        """Its report, and the run; `meddle` is called when it has begun."""
        folder = self.folder / self.id() / name
        folder.mkdir(parents=True)
        pod = folder / "pod"
        pod.write_text(json.dumps({"apiVersion": "v1", "kind": "Pod", "metadata": {}, "spec": {"containers": [{"name": "muster", "image": "m"}]}}))
        fates = {host: night_test.ended(night_test.summary(kind), code, "Error" if code else "Completed") for host, (kind, code) in FATES.items()}
        world = night_test.Cluster(map(night_test.node, fates), fates, trouble=lambda _, number: meddle() if number == 1 else None)
        report = folder / "fleet.json"
        run = Started(self, world, "night", "--pod", pod, "--namespace", "bench", "--name", "n1", "--report", report, "--nodes", "bad,good,odd,gone", *also)
        return report, run.end()

    def serve_all(self):
        """What listens, before anything has happened."""
        world = World(nodes=[act_test.node(name) for name in FATES])
        for each in world.nodes.values():
            each["metadata"]["uid"] = f"uid of {each['metadata']['name']}"
        listeners = types.SimpleNamespace(act=world, webhook=Listener(pair=self.pair), gateway=Listener())
        for each in (listeners.webhook, listeners.gateway):
            self.addCleanup(each.close)
        return listeners

    def tell_all(self, report, listeners, troubles):
        """All at once; {listener: exit code}. Those in trouble are down, slow or refuse."""
        with concurrent.futures.ThreadPoolExecutor(len(LISTENERS)) as pool:
            told = {name: pool.submit(getattr(self, f"tell_{name}"), report, getattr(listeners, name), troubles.get(name)) for name in LISTENERS}
            return {name: each.result() for name, each in told.items()}

    def tell_act(self, report, world, trouble):
        world.trouble = {"slow": lambda _, number: time.sleep(0.7) if number == 1 else None, "refuses": lambda *_: 403}.get(trouble, lambda *_: None)
        run = Started(self, world, "act", report, "--apply", "--condition", "--events", "--most-share", "1", "--wait", "1.5" if trouble in ("down", "refuses") else "60",
                      server=DOWN if trouble == "down" else None).end()
        self.assertNotIn("secret", run.out + run.error)
        return run.process.returncode

    def tell_webhook(self, report, listener, trouble):
        folder = report.parent
        listener.plays = ({"slow": Handler.slow, "refuses": 403}.get(trouble, 200),)
        (folder / "key").write_bytes(KEY)
        address = "https://127.0.0.1:1/" if trouble == "down" else listener.url
        (folder / f"url {trouble}").write_text(address)
        done = muster("fleet", "tell", report, "--url-file", folder / f"url {trouble}", "--key-file", folder / "key", "--ca", self.authority.certificate,
                      "--state", folder / "told", "--tries", "2", folder=folder, env=os.environ | {"no_proxy": "*"})
        self.assertEqual(len((done.stdout + done.stderr).splitlines()), 1)
        self.assertNotRegex(done.stdout + done.stderr, "SECRET|127.0.0.1")
        return done.returncode

    def tell_gateway(self, report, listener, trouble):
        """As results/FORMATS.md says."""
        listener.plays = ({"slow": Handler.slow, "refuses": 400}.get(trouble, 200),)
        return self.push(report, "http://127.0.0.1:1" if trouble == "down" else listener.url.partition("/hook")[0])

    def push(self, report, url):
        words = f'"{BIN}/muster" fleet summary "{report}" --format openmetrics | curl --silent --noproxy "*" --fail --max-time 20 --upload-file - {url}/metrics/job/muster'
        return subprocess.run(["bash", "-c", words], capture_output=True, check=False).returncode

    def expect_told_once(self, report, listeners, but=()):
        run_id = json.loads(report.read_text())["run_id"]
        if "act" not in but:
            world = listeners.act
            self.assertEqual(len(world.patches), 1)
            self.assertIn("muster/unfit", world.nodes[NODES + "bad"]["metadata"]["labels"])
            self.assertEqual([taint["key"] for taint in world.nodes[NODES + "bad"]["spec"]["taints"]], ["sku", "muster/unfit"])
            fit = {name: [each["status"] for each in world.nodes[NODES + name]["status"]["conditions"] if each["type"] == "MusterFit"] for name in FATES}
            self.assertEqual((fit, len(world.statuses)), ({"bad": ["False"], "good": ["True"], "odd": ["Unknown"]}, 3))
            self.assertEqual([(each["reason"], each["involvedObject"]["name"]) for each in world.events], [("MusterUnfit", "bad")])
        else:
            self.assertEqual((listeners.act.patches, listeners.act.statuses, listeners.act.events), ([], [], []))
        taken = listeners.webhook.posts
        self.assertEqual([json.loads(body)["id"] for _, _, body, _ in taken], [run_id] * ("webhook" not in but))
        self.assertTrue(all(is_signed(post, KEY) for post in taken))
        wanted = muster("fleet", "summary", report, "--format", "openmetrics", folder=report.parent).stdout.encode()
        self.assertEqual({body for _, _, body, _ in listeners.gateway.posts}, {wanted} if "gateway" not in but else set())

    def expect_files(self, report, but=()):
        folder = report.parent
        for form, name in FORMS.items():
            if form in but:
                continue
            shown = muster("fleet", "summary", report, "--format", form, folder=folder)
            self.assertEqual((folder / name).read_bytes(), shown.stdout.encode(), form)
        self.assertEqual(len(list(ElementTree.parse(folder / FORMS["junit"]).getroot())), 4)

    def also(self, name, **places):
        return [f"--also={form}={self.folder / self.id() / name / places.get(form, file)}" for form, file in FORMS.items()]

    def test_the_verdict_stands_and_each_is_told_once(self):
        alone, run_alone = self.night("alone")
        self.assertEqual(run_alone.process.returncode, 1, run_alone.error)
        for number, order in enumerate(drawn(1, list(itertools.permutations(TROUBLES)))):
            troubles = dict(zip(LISTENERS, order))
            with self.subTest(troubles):
                report, run = self.night(f"night{number}", *self.also(f"night{number}"))
                before = report.read_bytes()
                self.assertEqual((run.process.returncode, lasting(json.loads(before))), (1, lasting(json.loads(alone.read_text()))), run.error)
                self.expect_files(report)
                listeners = self.serve_all()
                codes = self.tell_all(report, listeners, troubles)
                out = {name for name, trouble in troubles.items() if trouble != "slow"}
                self.assertEqual({name for name, code in codes.items() if code}, out, codes)
                self.assertEqual({codes[name] for name in out & {"act", "webhook"}}, {3} if out & {"act", "webhook"} else set())
                refused = [listeners.webhook.posts.pop() for _ in range(len(listeners.webhook.posts)) if troubles["webhook"] == "refuses"]
                self.assertLessEqual(len(refused), 1, "an answer that is final is not asked for again")
                listeners.gateway.posts = [] if troubles["gateway"] == "refuses" else listeners.gateway.posts
                self.expect_told_once(report, listeners, but=out)
                for _ in range(2):  # all are well again, and a timer fires twice
                    self.assertEqual(set(self.tell_all(report, listeners, {}).values()), {0})
                self.expect_told_once(report, listeners)
                self.assertGreater(len(listeners.gateway.posts), 1)
                self.assertEqual(report.read_bytes(), before)
                self.assertEqual(muster("fleet", "summary", report, folder=self.folder).returncode, 1)

    def test_a_file_that_is_lost_on_the_way_costs_no_other_listener(self):
        lost = self.folder / self.id() / "lost"
        lost.mkdir(parents=True)
        report, run = self.night("night", *self.also("night", openmetrics="../lost/muster.prom"), meddle=lambda: os.rename(lost, lost.with_name("gone")))
        self.assertEqual(run.process.returncode, 1)
        self.assertRegex(run.error, r"--also openmetrics=\S+/lost/muster\.prom is not written: ")
        self.expect_files(report, but={"openmetrics"})

    @unittest.skipUnless(IS_WHOLE, "the Pushgateway is built with --all alone")
    def test_a_real_pushgateway_has_the_series_of_the_night_once(self):
        gateway = program(self, "pushgateway")
        report, _ = self.night("night")
        with serving(gateway, "--web.listen-address=127.0.0.1:PORT", "--log.level=error") as url:
            for _ in range(2):
                self.assertEqual(self.push(report, url), 0)
            series = [line for line in answer(f"{url}/metrics").split("\n") if line.startswith("muster_")]
        wanted = [line for line in muster("fleet", "summary", report, "--format", "openmetrics", folder=self.folder).stdout.split("\n") if line.startswith("muster_")]
        self.assertEqual(len(series), len(wanted))


if __name__ == "__main__":
    main()

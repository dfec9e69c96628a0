# SPDX-License-Identifier: Apache-2.0
"""`muster fleet label` before an API server: what a node is changed by, and that it is not where nothing is to be changed."""
import fcntl
import os
import signal
import sys
import time

sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/support"))
sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/rigs"))
from api_server import NODES, World  # noqa: E402
from beside import each  # noqa: E402
from fleet import Fleet, Started, main  # noqa: E402
from hyperv import pool  # noqa: E402
from job import wait_for  # noqa: E402
from muster import expect_refused, muster  # noqa: E402

OF_OTHERS = {"kubernetes.io/os": "linux", "ib/torset": "torset-07"}
STALE = {"hyperv/HostName": "of-an-older-labeler", "ib/pkey": "0x8001"}


def node(labels=(), **annotations):
    return {"kind": "Node", "apiVersion": "v1",
            "metadata": {"name": "gpu-17", "labels": OF_OTHERS | dict(labels), "annotations": annotations}}


class Label(Fleet):
    """A machine of one InfiniBand adapter, and a pool that a test may change."""

    def setUp(self):
        self.root = self.folder / self.id()
        self.pool = self.root / "var/lib/hyperv/.kvp_pool_3"
        adapter = self.root / "sys/class/infiniband/mlx5_ib0"
        for file, text in ((adapter / "node_guid", "0015:5dff:fe33:ff00\n"), (adapter / "ports/1/link_layer", "InfiniBand\n"),
                           (adapter / "ports/1/pkeys/0", "0x8042\n"), (self.pool, "")):
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        self.pool.write_bytes(pool(PhysicalHostName="CHI17", Note="two words"))
        self.world = World(nodes=[node(STALE)])

    @property
    def node(self):
        return self.world.nodes[f"{NODES}gpu-17"]["metadata"]

    def start(self, *options, world=None):
        run = Started(self, world or self.world, "label", "--node", "gpu-17", "--root", self.root, *options)
        self.addCleanup(run.process.wait)
        self.addCleanup(run.process.kill)
        return run

    def once(self, world=None):
        run = self.start("--once", world=world).end()
        self.assertEqual((run.process.returncode, run.out), (0, ""), run.error)
        return run.error

    def expect(self, world=None, **labels):
        """These labels of Hyper-V, and no others."""
        self.assertEqual((world or self.world).nodes[f"{NODES}gpu-17"]["metadata"]["labels"], OF_OTHERS | {"ib/pkey": "0x8042"} | {f"hyperv/{key}": of for key, of in labels.items()})

    def test_a_node_gets_its_labels_by_one_patch_and_none_where_it_has_them(self):
        self.assertIn("changed", self.once())
        self.expect(PhysicalHostName="CHI17", Note="two-words")
        self.assertEqual(self.node["annotations"], {"hyperv/Note": "two words", "ib/hca-guids": "0015:5dff:fe33:ff00"})
        self.assertEqual(len(self.world.patches), 1)
        self.assertIn("nothing to change", self.once())
        self.assertEqual(len(self.world.patches), 1)
        self.assertEqual(len(self.world.requests), 3)

    def test_what_vanishes_from_the_pool_vanishes_from_the_node(self):
        self.once()
        self.pool.write_bytes(pool(PhysicalHostName="CHI18"))
        self.once()
        self.expect(PhysicalHostName="CHI18")
        self.assertEqual(self.node["annotations"], {"ib/hca-guids": "0015:5dff:fe33:ff00"})
        self.pool.write_bytes(b"")
        self.once()
        self.expect()

    def test_a_pool_that_is_cut_short_or_absent_takes_nothing_away(self):
        self.once()
        whole = self.pool.read_bytes()
        self.pool.write_bytes(whole[:2560 + 700])
        self.assertIn("3260 bytes", self.once())
        self.expect(PhysicalHostName="CHI17", Note="two-words")
        self.pool.unlink()
        self.once()
        self.expect(PhysicalHostName="CHI17", Note="two-words")
        self.assertEqual(len(self.world.patches), 1)

    def test_a_pool_that_is_being_rewritten_is_read_when_it_is_done(self):
        whole = self.pool.read_bytes()
        with open(self.pool, "r+b") as file:
            fcntl.lockf(file, fcntl.LOCK_EX)
            file.truncate(2560)  # whole records, and not all
            run = self.start("--once")
            time.sleep(0.5)
            file.write(whole)
            file.flush()
            fcntl.lockf(file, fcntl.LOCK_UN)
            self.assertEqual(run.end().process.returncode, 0, run.error)
            self.expect(PhysicalHostName="CHI17", Note="two-words")
            fcntl.lockf(file, fcntl.LOCK_EX)
            self.assertIn("locked by another program", self.once())
            self.expect(PhysicalHostName="CHI17", Note="two-words")

    def test_adapters_that_are_not_there_yet_take_nothing_away(self):
        (self.root / "sys/class/infiniband").rename(self.root / "sys/class/gone")
        self.once()
        self.assertEqual(self.node["labels"]["ib/pkey"], STALE["ib/pkey"])

    def test_it_goes_on_and_asks_only_when_something_changes(self):
        run = self.start("--every", 0.1)
        wait_for(lambda: len(self.world.patches) == 1, 10)
        time.sleep(1)  # ten looks
        self.assertEqual(len(self.world.requests), 2)
        new = self.pool.with_name("new")
        new.write_bytes(pool(PhysicalHostName="CHI19"))
        new.rename(self.pool)
        wait_for(lambda: len(self.world.patches) == 2, 10)
        self.expect(PhysicalHostName="CHI19")
        time.sleep(0.5)  # the answer is on its way
        run.process.send_signal(signal.SIGTERM)
        self.assertEqual(run.end().process.returncode, 0, run.error)
        self.assertEqual(len(self.world.requests), 4)

    def test_trouble_is_told_and_tried_again(self):
        def check(trouble, word):
            often = (1,) if trouble == (200, "[]") else (1, 3)  # a patch that is answered so was taken
            world = World(nodes=[node()], trouble=lambda _, number: trouble if number in often else None)
            self.assertIn(word, self.once(world))
            self.expect(world, PhysicalHostName="CHI17", Note="two-words")
            self.assertLessEqual(len(world.patches), 2)

        each(self, check, [(409, "409"), (429, "429"), (500, "500"), (403, "a right is missing"), ("cut", "does not answer"),
                           ("reset", "does not answer"), ((200, "[]"), "not a Node"), (404, "there is no node gpu-17")])

    def test_a_setback_changes_nothing_and_a_signal_ends_the_trials(self):
        self.world = World(nodes=[node(STALE)], trouble=lambda path, number: 500)
        run = self.start("--every", 0.2)
        self.asked(self.world, 3)
        run.process.send_signal(signal.SIGTERM)
        self.assertEqual(run.end().process.returncode, 3)
        self.assertEqual((self.node["labels"], self.world.patches), (OF_OTHERS | STALE, []))

    def test_bad_options(self):
        for options, word in (((), "--node is missing"), (("--node", "A"), "'A'"), (("--node", "a", "--root", "/nowhere"), "/nowhere"),
                              (("--node", "a", "--prefix", "k8s.io"), "of others"), (("--node", "a", "--prefix", "ib"), "of others"),
                              (("--node", "a", "--prefix", "node.kubernetes.io"), "of others"),
                              (("--node", "a", "--every", "0"), "--every"), (("--node", "a"), "KUBERNETES_SERVICE_HOST")):
            with self.subTest(options):
                expect_refused(self, muster("fleet", "label", *options, folder=self.folder), word)


if __name__ == "__main__":
    main()

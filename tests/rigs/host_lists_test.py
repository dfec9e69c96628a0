# SPDX-License-Identifier: Apache-2.0
"""Lists of hosts are written out as `scontrol show hostnames` of a real Slurm does it. Each run draws other lists, and prints the
seed; `host_lists_test.py --seed SEED` draws them again."""
import os
import pathlib
import random
import re
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/support"))
from muster import BIN  # noqa: E402

HERE = pathlib.Path(__file__).resolve()
OURS = BIN.parent / "tests/write_out_lists"
CONF = "ClusterName=rig\nSlurmctldHost=rig\nNodeName=node1\nPartitionName=all Nodes=node1\n"
SEED = int(sys.argv[sys.argv.index("--seed") + 1]) if "--seed" in sys.argv else random.randrange(10**6)
OF_EACH_KIND = 500
MOST = 10_000  # names of a list that is compared


def of_slurm(text):
    """Its names; none where it refuses the list, which its exit code does not tell; nothing where it has too many hosts for it."""
    run = subprocess.run(["scontrol", "show", "hostnames", text], capture_output=True, text=True, check=False)
    return None if "Too many" in run.stderr else [] if run.stderr else run.stdout.split("\n")[:-1]


def of_muster(texts):
    """Of each list its names, or why it is refused."""
    said = subprocess.run([OURS], input="".join(text + "\n" for text in texts), capture_output=True, text=True, check=True).stdout
    lines = said.split("\n")[:-1]
    return [line if line.startswith("refused: ") else line.split() for line in lines]


def a_range(draw):
    first = draw.randrange(10 ** draw.randint(1, 4))
    width = draw.choice((0, 0, 1, 2, 3, 4, 6))
    if draw.random() < 0.4:
        return f"{first:0{width}}"
    last = first + draw.choice((0, 1, 2, 9))
    return f"{first:0{width}}-{last:0{draw.choice((0, width))}}"


def a_name(draw):
    """A name, mostly with ranges; at its end nothing, which is all that Slurm takes there."""
    name = draw.choice(("gpu-", "n", "rack7-node", "a.b-", "10.0.0.", "x_", "GPU", "aks-pool-1-vmss00000", ""))
    brackets = draw.choice((0, 1, 1, 1, 2, 2, 3))
    if not brackets:
        return (name or "n") + draw.choice(("", "1", "007", "b"))
    for number in range(brackets):
        name += draw.choice(("", "-", "n", ".r")) if number else ""
        name += f"[{','.join(a_range(draw) for _ in range(draw.choice((1, 1, 2, 3)) if brackets < 3 else 1))}]"
    return name


def a_list(draw):
    names = [a_name(draw) for _ in range(draw.choice((1, 1, 2, 3, 6)))]
    text = names[0]
    for name in names[1:]:
        text += draw.choice((",", ",", ",", ", ", " ", ",,", "\t")) + name
    return draw.choice(("", "", "", " ")) + text + draw.choice(("", "", "", " ", ","))


def slip(draw, text):
    """A list with one letter too many, one missing, or two exchanged."""
    at = draw.randrange(len(text))
    return draw.choice((text[:at] + text[at + 1:], text[:at] + draw.choice("[]-, 9x{*@:") + text[at:], text[:at] + text[at:at + 2][::-1] + text[at + 2:]))


def nobody_means(text, names):
    """Whether half a bracket is a letter to Slurm, half a range a number, or a blank or a sign in brackets a digit."""
    inside = [part.split("]")[0] for part in text.split("[")[1:]]
    is_half = text.count("[") != text.count("]") or any(set(name) & set("[]") for name in names)
    return is_half or any(set(part) - set("0123456789-,") for part in inside) or re.search("-[],]", text)


class HostLists(unittest.TestCase):
    def both(self, texts):
        """Of each list what muster and what Slurm make of it; not of long ones, for which each has a limit of its own,
        nor of what scontrol takes for options."""
        for text, ours in zip(texts, of_muster(texts), strict=True):
            if text.startswith("-") or "more than" in ours or not isinstance(ours, str) and len(ours) > MOST:
                continue
            theirs = of_slurm(text)
            if theirs is not None and len(theirs) <= MOST:
                yield text, ours, theirs

    def test_lists_are_written_out_as_slurm_does_it(self):
        draw = random.Random(SEED)
        compared = 0
        for text, ours, theirs in self.both([a_list(draw) for _ in range(OF_EACH_KIND)]):
            self.assertTrue(ours == theirs, (text, ours[:200], theirs[:9]))
            compared += 1
        self.assertEqual(compared, OF_EACH_KIND)

    def test_of_lists_with_a_slip_none_is_read_otherwise_than_slurm_reads_it(self):
        draw = random.Random(SEED)
        refused = 0
        for text, ours, theirs in self.both([slip(draw, a_list(draw)) for _ in range(OF_EACH_KIND)]):
            if isinstance(ours, str):
                refused += 1
                self.assertTrue(not theirs or nobody_means(text, theirs), (text, ours, theirs[:9]))
            elif not theirs and ours:  # text behind a range, which can mean one thing only
                self.assertRegex(text, r"\][^\[\],\s]+($|[\[,\s])")
            else:
                self.assertTrue(ours == theirs, (text, ours[:9], theirs[:9]))
        self.assertGreater(refused, OF_EACH_KIND // 20)


if __name__ == "__main__":
    if "--apart" not in sys.argv:
        os.execv(HERE.parent / "apart.sh", ["apart.sh", "slurm-client", sys.executable, "-B", HERE, "--apart", *sys.argv[1:]])
    pathlib.Path("/etc/slurm").mkdir(exist_ok=True)
    pathlib.Path("/etc/slurm/slurm.conf").write_text(CONF)
    print(f"seed {SEED}", flush=True)
    unittest.main(argv=[sys.argv[0]])

# SPDX-License-Identifier: Apache-2.0
"""What tests of a real batch system share, in the name spaces of apart.sh: a controller, and three nodes, each with a name and a network
of its own."""
import pathlib
import subprocess
import time

from hosts import NETWORK, Hosts, sh

PLACE = pathlib.Path("/run/rig")  # gone with the name space
NODES = ("node1", "node2", "node3")
PATIENCE = 120  # seconds that a batch system may take for anything on a busy machine
SPACES = {}  # by node, the name of its network
STATES = []  # commands that tell what the batch system does


def command(*words, check=True):
    return subprocess.run([str(word) for word in words], check=check, capture_output=True, text=True, stdin=subprocess.DEVNULL).stdout


def until(condition, what):
    end = time.monotonic() + PATIENCE
    while not (found := condition()):
        if time.monotonic() > end:
            raise AssertionError(f"{what} in {PATIENCE} s\n" + "".join(command(*words, check=False) for words in STATES)
                                 + "".join(log.read_text()[-3000:] for log in PLACE.glob("*.log")))
        time.sleep(0.2)
    return found


def start(name, *words):
    with (PLACE / f"{name}.log").open("w") as log:
        return subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT)


def start_on(node, name, script, *words):
    """A script of bash in the network of a node, with a name and mounts of its own."""
    return start(name, "nsenter", f"--net=/run/netns/{SPACES[node]}", "unshare", "--mount", "--uts", "bash", "-c", script, "bash",
                 *map(str, words))


def make_nodes():
    """Their networks and names, and those of this one, the controller."""
    sh("ip link set lo up")
    hosts = Hosts(len(NODES), PLACE)
    SPACES.update((node, hosts.prefix + host) for node, host in zip(NODES, hosts.names))
    with pathlib.Path("/etc/hosts").open("a") as file:
        file.write(f"{NETWORK}.254 controller\n")
        file.writelines(f"{NETWORK}.{number} {name}\n" for number, name in enumerate(NODES, 1))
    command("hostname", "controller")

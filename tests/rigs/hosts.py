# SPDX-License-Identifier: Apache-2.0
"""Hosts on one machine: network namespaces with names of their own, on a bridge that their links can be slowed at."""
import ctypes
import itertools
import os
import pathlib
import shutil
import subprocess

NETWORK = "10.77.0"
NEW_NETWORK = 0x40000000  # CLONE_NEWNET of sched.h
made = itertools.count()  # a name is free again some time after its namespace is gone


def sh(command):
    subprocess.run(command.split(), check=True, capture_output=True, text=True)


def possible():
    """Whether this machine lets us make network namespaces and enter them, which a root that is no mount does not; if so, this
    process is in one of its own, where the addresses of hosts are nobody else's."""
    if ctypes.CDLL(None).unshare(NEW_NETWORK):
        return False
    probe = f"muster{os.getpid()}p"
    try:
        sh("ip link set lo up")
        sh(f"ip netns add {probe}")
        sh(f"ip -n {probe} link")
        return True
    except (OSError, subprocess.CalledProcessError):
        return False
    finally:
        subprocess.run(["ip", "netns", "del", probe], check=False, capture_output=True)


class Hosts:
    """h1, h2 ... of the addresses 10.77.0.1, 10.77.0.2 ...; the process that makes them is at 10.77.0.254."""

    def __init__(self, count, folder):
        # mpirun takes no remote shell of a path with a space.
        self.rsh = shutil.copy(pathlib.Path(__file__).with_name("netns_rsh"), folder)
        self.prefix = f"m{os.getpid()}x{next(made)}"
        self.bridge = f"{self.prefix}b"
        self.names = [f"h{number}" for number in range(1, count + 1)]
        try:
            sh(f"ip link add {self.bridge} type bridge")
            sh(f"ip addr add {NETWORK}.254/24 dev {self.bridge}")
            sh(f"ip link set {self.bridge} up")
            for name in self.names:
                self.add(name)
        except BaseException:
            self.close()
            raise

    def add(self, name):
        space = self.prefix + name
        sh(f"ip netns add {space}")
        sh(f"ip link add {space} type veth peer name eth0 netns {space}")
        sh(f"ip link set {space} master {self.bridge} up")
        sh(f"ip -n {space} addr add {NETWORK}.{name[1:]}/24 dev eth0")
        sh(f"ip -n {space} link set eth0 up")
        sh(f"ip -n {space} link set lo up")

    def close(self):
        for name in self.names:
            subprocess.run(["ip", "netns", "del", self.prefix + name], check=False, capture_output=True)
        subprocess.run(["ip", "link", "del", self.bridge], check=False, capture_output=True)

    def slow(self, name, direction, rate):
        """Lets the link of a host carry only so many bytes a second, out of it ("egress") or into it ("ingress")."""
        space = self.prefix + name
        where = f"-n {space} qdisc add dev eth0" if direction == "egress" else f"qdisc add dev {space}"
        sh(f"tc {where} root tbf rate {8 * rate:.0f}bit burst 32kb latency 2s")

    def heal(self, name):
        space = self.prefix + name
        for where in (["-n", space, "qdisc", "del", "dev", "eth0"], ["qdisc", "del", "dev", space]):
            subprocess.run(["tc", *where, "root"], check=False, capture_output=True)

    def mpirun(self, *words, folder, environment=None, on_each=1):
        """So many ranks on each host; captures the output."""
        network = f"{NETWORK}.0/24"
        addresses = ",".join(f"{NETWORK}.{name[1:]}:{on_each}" for name in self.names)
        passed = [word for variable in (environment or {}) for word in ("-x", variable)]
        command = ["mpirun", "--allow-run-as-root", "--bind-to", "none", "-np", str(on_each * len(self.names)), "-H", addresses,
                   "-mca", "plm_rsh_agent", self.rsh, "-mca", "btl", "tcp,self", "-mca", "btl_tcp_if_include", network,
                   "-mca", "oob_tcp_if_include", network,
                   "-mca", "mpi_yield_when_idle", "1",  # there are more hosts than cores here
                   *passed, *map(str, words)]
        return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False,
                              stdin=subprocess.DEVNULL,
                              env=os.environ | {"MUSTER_HOSTS": self.prefix} | (environment or {}))

# SPDX-License-Identifier: Apache-2.0
"""`muster launch` where nobody names a network: jobs start over that of the hosts' routes, whatever else the hosts have."""
import contextlib
import json
import os
import re
import subprocess
import sys
import time
import unittest

sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/support"))
sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/rigs"))
import open_mpi_5  # noqa: E402
from hosts import NETWORK, possible, sh  # noqa: E402
from drawn import IS_WHOLE  # noqa: E402
from launches import PROGRAM, Launches  # noqa: E402
from muster import BIN, accused, report  # noqa: E402

OTHER = "10.78.0"
WAIT = 3  # s, that all hosts have to answer
TOLD_WITHIN = 5  # s, beyond that

in_the_whole = unittest.skipUnless(IS_WHOLE, "of which ./muster test runs a sample")


class Networks(Launches):
    def inside(self, name, command):
        sh(f"ip -n {self.hosts.prefix}{name} {command}")

    def bridge(self, name, address):
        """A bridge of this address on every host, as docker0 and virbr0 have."""
        for host in self.hosts.names:
            self.inside(host, f"link add {name} type bridge")
            self.inside(host, f"addr add {address} dev {name}")
            self.inside(host, f"link set {name} up")
            self.addCleanup(self.inside, host, f"link del {name}")

    def other_network(self, interface):
        """A second NIC of this name on every host, and the hosts' addresses there."""
        switch = f"{self.hosts.prefix}o"
        sh(f"ip link add {switch} type bridge")
        self.addCleanup(sh, f"ip link del {switch}")
        sh(f"ip addr add {OTHER}.254/24 dev {switch}")
        sh(f"ip link set {switch} up")
        for host in self.hosts.names:
            sh(f"ip link add {self.port(host)} type veth peer name {interface} netns {self.hosts.prefix}{host}")
            self.addCleanup(sh, f"ip link del {self.port(host)}")
            sh(f"ip link set {self.port(host)} master {switch} up")
            self.inside(host, f"addr add {OTHER}.{host[1:]}/24 dev {interface}")
            self.inside(host, f"link set {interface} up")
        return [f"{OTHER}.{host[1:]}" for host in self.hosts.names]

    def port(self, host):
        """Of the other network's switch."""
        return f"{self.hosts.prefix}{host}o"

    def start_job(self, *options, hosts=None, environment=None, deadline=30):
        """The run, and how many seconds it took; --interface only where the options have it."""
        start = time.monotonic()
        run = self.launch("--wait", WAIT, "--deadline", deadline, *options, hosts=hosts, interface=None, environment=environment)
        return run, time.monotonic() - start

    def expect_job(self, *options, uses, leaves_out=(), hosts=None, environment=None):
        """A job that passes, in which every host uses this interface, and says so."""
        run, _ = self.start_job(*options, hosts=hosts, environment=environment)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        networks = {fact["labels"]["host"]: fact["value"] for fact in self.only_run()["measurements"]
                    if fact["metric"] == "host_allreduce.tcp_network"}
        self.assertEqual(sorted(networks), self.hosts.names)
        for words in networks.values():
            used, _, left_out = words.partition("; not ")
            self.assertTrue(used.startswith(f"{uses} ("), words)
            for name in leaves_out:
                self.assertIn(f"{name} (", left_out)

    def test_bridges_of_containers_are_left_out(self):
        self.bridge("docker0", "172.17.0.1/16")
        self.bridge("virbr0", "192.168.122.1/24")
        sh("ip link add docker0 type bridge")  # also where the job is started
        self.addCleanup(sh, "ip link del docker0")
        sh("ip addr add 172.17.0.1/16 dev docker0")
        sh("ip link set docker0 up")
        self.expect_job(uses="eth0", leaves_out=["docker0", "virbr0"])

    @in_the_whole
    def test_routes_decide_and_no_name(self):
        self.bridge("ib0", f"{NETWORK[:-2]}.99.1/24")
        addresses = self.other_network("docker7")
        self.expect_job(uses="docker7", leaves_out=["ib0", "eth0"], hosts=addresses)
        self.expect_job(uses="eth0", leaves_out=["ib0", "docker7"])

    @in_the_whole
    def test_addresses_of_ipv6_disturb_nobody(self):
        self.bridge("docker0", "172.17.0.1/16")
        for host in self.hosts.names:
            self.inside(host, f"addr add fd77::{host[1:]}/64 dev eth0 nodad")
            self.addCleanup(self.inside, host, f"addr del fd77::{host[1:]}/64 dev eth0")
            self.inside(host, "addr add fd00:d::1/64 dev docker0 nodad")
        self.expect_job(uses="eth0", leaves_out=["docker0"])

    @in_the_whole
    def test_a_network_that_is_asked_for_carries_the_job(self):
        self.other_network("eth1")
        for host in self.hosts.names:
            self.inside(host, f"addr add fd78::{host[1:]}/64 dev eth1 nodad")
        before = [self.sent(host, "eth1") for host in self.hosts.names]
        self.expect_job("--interface", "eth1", uses="eth1", leaves_out=["eth0"])  # which is not here
        self.expect_job("--interface", f"{OTHER}.0/24", uses="eth1", leaves_out=["eth0"])
        for host, bytes_before in zip(self.hosts.names, before):
            self.assertGreater(self.sent(host, "eth1") - bytes_before, 1 << 20)

    def sent(self, host, interface):
        """Bytes that a host has sent over an interface."""
        shown = subprocess.run(["ip", "-n", self.hosts.prefix + host, "-s", "-j", "link", "show", interface], check=True,
                               capture_output=True)
        return json.loads(shown.stdout)[0]["stats64"]["tx"]["bytes"]

    @in_the_whole
    def test_the_report_comes_in_at_the_address_that_hosts_reach(self):
        job = self.start(interface=None)
        listening = subprocess.run(["ss", "-H", "-l", "-t", "-n", "-p"], check=True, capture_output=True, text=True).stdout
        ours = [line.split()[3] for line in listening.splitlines() if '"muster"' in line]
        self.assertEqual([where.rpartition(":")[0] for where in ours], [f"{NETWORK}.254"], listening)
        job.terminate()
        job.wait(timeout=30)

    @in_the_whole
    def test_an_exclusion_that_open_mpi_was_told_holds(self):
        self.bridge("docker0", "172.17.0.1/16")
        run, _ = self.start_job(environment={"OMPI_MCA_btl_tcp_if_exclude": "lo,docker0"})
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertEqual([fact for fact in self.only_run()["measurements"] if fact["metric"].endswith("tcp_network")], [])

    @in_the_whole
    def test_a_start_that_hangs_names_the_network(self):
        self.bridge("docker0", "172.17.0.1/16")
        run, _ = self.start_job(deadline=8, environment={"OMPI_MCA_btl_tcp_if_include": "docker0"})
        self.assertEqual(run.returncode, 3, run.stdout + run.stderr)
        self.assertRegex(self.only_run()["reason"], r"(have the same address 172\.17\.0\.1 |connect\(\) to 172\.17\.0\.1:).* --interface")
        self.assertNotIn("kernel function", run.stdout)

    @in_the_whole
    def test_an_address_that_hosts_share_is_told_while_the_job_waits(self):
        self.bridge("docker0", "172.17.0.1/16")
        for options, told in (((), {"OMPI_MCA_btl_tcp_if_include": "docker0"}), (("--interface", "docker0"), {})):
            words = self.launch_words("--wait", WAIT, "--deadline", 12, *options, interface=None)
            start = time.monotonic()
            job = subprocess.Popen([BIN / "muster", *map(str, words)], cwd=self.folder, env=self.environment | told,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            said = next((line for line in job.stderr if "same address" in line), "")
            seconds = time.monotonic() - start
            job.communicate(timeout=30)
            if not said:  # Open MPI 4 tells it first
                self.assertRegex(self.only_run()["reason"], r"connect\(\) to 172\.17\.0\.1:.* --interface")
                continue
            self.assertRegex(said, rf"{NETWORK}\.[123] and {NETWORK}\.[123] have the same address 172\.17\.0\.1 on the network")
            self.assertLess(seconds, WAIT + TOLD_WITHIN)
            self.assertIn("have the same address 172.17.0.1", self.only_run()["reason"])

    @in_the_whole
    def test_a_cut_network_is_named_in_time(self):
        addresses = self.other_network("eth1")
        self.expect_job(uses="eth1", leaves_out=["eth0"], hosts=addresses)
        for host in self.hosts.names:  # hosts reach the switch, and none of them another
            sh(f"bridge link set dev {self.port(host)} isolated on")
        run, seconds = self.start_job(hosts=addresses)
        self.assertEqual(run.returncode, 3, run.stdout + run.stderr)
        self.assertRegex(self.only_run()["reason"],
                         rf"h[123]: {OTHER}\.[123] cannot be reached over eth1 \({OTHER}\.[123]\) \(port (2222|102\d): .*--interface")
        self.assertEqual([host for fault, host in accused(report(self.folder), "host") if fault == "host_absent"], [])
        self.assertLess(seconds, WAIT + TOLD_WITHIN)
        for networks in (f"{OTHER}.0/24", f"{NETWORK}.0/24,{OTHER}.0/24"):  # of hosts that ssh reaches over the other one
            self.expect_no_way(OTHER, "--interface", networks)
        self.expect_job(uses="eth0", leaves_out=["eth1"])

    @in_the_whole
    def test_a_firewall_between_hosts_is_named_in_time(self):
        self.other_network("eth1")
        for host in self.hosts.names:
            self.inside(host, f"addr add fd78::{host[1:]}/64 dev eth1 nodad")
        for answer in ("DROP", "REJECT --reject-with tcp-reset"):
            with self.firewall("eth1", answer):
                for network, addresses in ((f"{OTHER}.0/24", OTHER), ("fd78::/64", "fd78:")):
                    self.expect_no_way(addresses, "--interface", network)
            with self.firewall("eth0", answer):
                self.expect_no_way(NETWORK)
        self.expect_job("--interface", "fd78::/64", uses="eth1", leaves_out=["eth0"])

    @in_the_whole
    def test_a_machine_that_hosts_do_not_reach_is_named_in_time(self):
        for names in (self.hosts.names, ["h2"]):
            with self.firewall_towards(f"{NETWORK}.254", names):
                run, seconds = self.start_job()
            self.expect_no_way_back(run, names)
            self.assertLess(seconds, WAIT + TOLD_WITHIN)

    @in_the_whole
    def test_another_network_of_the_machine_that_starts_the_job_may_be_cut(self):
        addresses = self.other_network("eth1")
        with self.firewall_towards(f"{OTHER}.254", self.hosts.names):
            self.expect_job(uses="eth0", leaves_out=["eth1"])
        with self.firewall_towards(f"{NETWORK}.254", self.hosts.names):  # by which ssh does not come
            self.expect_job(uses="eth1", leaves_out=["eth0"], hosts=addresses)

    @contextlib.contextmanager
    def firewall(self, interface, answer):
        """Ports of MPI are closed there, and that of ssh is not."""
        def rules(action):
            for host in self.hosts.names:
                for program in ("iptables", "ip6tables"):
                    sh(f"ip netns exec {self.hosts.prefix}{host} {program} -{action} INPUT -i {interface} -p tcp --syn --dport 1024:1099 -j {answer}")

        rules("A")
        try:
            yield
        finally:
            rules("D")

    def expect_no_way(self, addresses, *options):
        """A job that is told in time that one host cannot reach another."""
        run, seconds = self.start_job(*options)
        self.assertEqual(run.returncode, 3, run.stdout + run.stderr)
        reason = self.only_run()["reason"]
        self.assertRegex(reason, rf"{re.escape(addresses)}[.:][123]\b")
        self.assertRegex(reason, r"cannot be reached over eth[01] \(|a rank cannot reach another \(Message: connect\(\) to ")
        self.assertIn("--interface", reason)
        self.assertLess(seconds, WAIT + TOLD_WITHIN, reason)
        self.assertEqual([host for fault, host in accused(report(self.folder), "host") if fault == "launch_failed"], [])

    @in_the_whole
    def test_an_interface_that_hosts_lack_is_named(self):
        run, _ = self.start_job("--interface", f"{NETWORK}.0/24,10.99.0.0/16")
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        run, seconds = self.start_job("--interface", f"{NETWORK}.254/32")
        self.assertEqual(run.returncode, 3, run.stdout + run.stderr)
        self.assertRegex(self.only_run()["reason"], rf"h[123]: there is no interface {NETWORK}.254/32 here")
        self.assertLess(seconds, WAIT + TOLD_WITHIN)

    @in_the_whole
    def test_a_network_of_ipv6_link_local_addresses_carries_no_job(self):
        for address in self.other_network("eth1"):
            self.inside(f"h{address.rpartition('.')[2]}", f"addr del {address}/24 dev eth1")
        self.expect_job(uses="eth0")
        run, seconds = self.start_job("--interface", "eth1")
        self.assertEqual(run.returncode, 3, run.stdout + run.stderr)
        self.assertRegex(self.only_run()["reason"], "h[123]: eth1 has no address here by which other hosts know it")
        self.assertLess(seconds, WAIT + TOLD_WITHIN)

    @in_the_whole
    def test_hosts_whose_names_begin_alike_are_two(self):
        names = {"w.one.test": "h1", "w.two.test": "h2"}
        table = self.folder / "names"
        table.write_text("127.0.0.1 localhost\n" + "".join(f"{NETWORK}.{host[1:]} {name}\n" for name, host in names.items()))
        for name, host in names.items():
            self.start_worker(host, port="2223", before=f"hostname {name};")
            self.wait_until_ready(host, port="2223")
        launch = [BIN / "muster", *self.launch_words("--wait", WAIT, "--deadline", 30, hosts=[*names], port="2223", interface=None)]
        run = subprocess.run(["unshare", "--mount", "sh", "-c", f'mount --bind {table} /etc/hosts; exec "$@"', "sh", *map(str, launch)],
                             cwd=self.folder, env=self.environment, capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertEqual([host["name"] for host in report(self.folder)["hosts"]], [*names])


class NetworksOfOpenMpi5(open_mpi_5.ByOpenMpi5, Networks):
    """Which chooses its interfaces by other rules."""


if __name__ == "__main__":
    with open_mpi_5.installed_for(NetworksOfOpenMpi5):
        if not (PROGRAM.exists() and possible()):
            print("skipped: needs Open MPI, and the right to make network namespaces")
            sys.exit(77)
        unittest.main()

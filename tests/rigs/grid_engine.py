# SPDX-License-Identifier: Apache-2.0
"""A real Grid Engine for tests of `muster launch`, in the name spaces of apart.sh: a master, and a daemon for each of three nodes, each
with a name, a network and an ssh server of its own."""
import os
import pathlib
import shutil
import subprocess
import time

from hosts import NETWORK, Hosts, sh
from muster import BIN

PACKAGES = "gridengine-master gridengine-exec gridengine-client openmpi-bin openssh-client"
PLACE = pathlib.Path("/run/rig")  # gone with the name space
KEYS = PLACE / "keys"
NODES = ("node1", "node2", "node3")
CELL = pathlib.Path("/var/lib/gridengine/default/common")
PATIENCE = 120  # seconds that Grid Engine may take for anything on a busy machine
# Jobs are root's here, are looked for every second, and start at once.
CONFIGURATION = {"min_uid": "0", "min_gid": "0", "load_report_time": "00:00:02"}
SCHEDULER = {"schedule_interval": "0:0:1", "flush_submit_sec": "1", "flush_finish_sec": "1"}
# Of a parallel environment, beside its name and its rule.
ENVIRONMENT = dict.fromkeys(("user_lists", "xuser_lists", "start_proc_args", "stop_proc_args", "qsort_args"), "NONE") | {
    "slots": "999", "control_slaves": "TRUE", "job_is_first_task": "FALSE", "urgency_slots": "min", "accounting_summary": "FALSE"}
RULES = {"one": "1", "two": "2", "filled": "$fill_up"}  # how many slots a node gives, by parallel environment
QUEUE = {"qname": "all.q", "hostlist": " ".join(NODES), "slots": "4", "pe_list": " ".join(RULES),
         "load_thresholds": "NONE"}  # other programs may keep this machine busy
SPACES = {}  # by node, the name of its network
WORKERS = {}  # by node, its ssh server


def command(*words, check=True, **options):
    run = subprocess.run([str(word) for word in words], check=False, capture_output=True, text=True, stdin=subprocess.DEVNULL, **options)
    if check and run.returncode:
        raise AssertionError(f"{words}: {run.stdout}{run.stderr}")
    return run.stdout


def until(condition, what):
    end = time.monotonic() + PATIENCE
    while not (found := condition()):
        if time.monotonic() > end:
            raise AssertionError(f"{what} in {PATIENCE} s\n{command('qstat', '-f', check=False)}"
                                 + "".join(log.read_text()[-3000:] for log in PLACE.glob("*.log")))
        time.sleep(0.2)
    return found


def start(name, *words):
    with (PLACE / f"{name}.log").open("w") as log:
        return subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT, env=os.environ | {"SGE_ND": "1"})


def shown(option):
    """The fields that qconf shows."""
    return dict(line.split(None, 1) for line in command("qconf", option).splitlines() if line and not line.startswith("#"))


def configure(option, fields):
    file = PLACE / "global"  # a name that qconf -Mconf wants
    file.write_text("".join(f"{name} {value}\n" for name, value in fields.items()))
    command("qconf", option, file)


def start_on(node, name, *words):
    """A program with the name of the node, and with the interfaces of its network."""
    return start(f"{name}-{node}", "nsenter", f"--net=/run/netns/{SPACES[node]}", "unshare", "--mount", "--uts", "sh", "-c",
                 f'hostname {node} && mount -t sysfs devices /sys && exec "$@"', "sh", *map(str, words))


def start_worker(node):
    WORKERS[node] = start_on(node, "worker", BIN / "muster", "worker", "--port", "22", "--keys", KEYS)


def stop_worker(node):
    WORKERS[node].terminate()
    WORKERS[node].wait()


def make_keys():
    KEYS.mkdir(parents=True)
    command("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", KEYS / "id_ed25519")
    shutil.copy(KEYS / "id_ed25519.pub", KEYS / "authorized_keys")



def are_ready():
    """Whether each node has told its load, and takes jobs."""
    fields = [line.split() for line in command("qstat", "-f", check=False).splitlines() if line.startswith("all.q@")]
    return len(fields) == len(NODES) and all(len(line) == 5 and line[3] != "-NA-" for line in fields)


def start_grid_engine():
    make_keys()
    sh("ip link set lo up")
    hosts = Hosts(len(NODES), PLACE)
    with pathlib.Path("/etc/hosts").open("a") as file:
        file.write(f"{NETWORK}.254 controller\n")
        file.writelines(f"{NETWORK}.{number} {name}\n" for number, name in enumerate(NODES, 1))
    command("hostname", "controller")
    (CELL / "act_qmaster").write_text("controller\n")
    start("master", "sge_qmaster")
    until(lambda: command("qconf", "-sconf", check=False), "no master")
    configure("-Mconf", shown("-sconf") | CONFIGURATION)
    configure("-Msconf", shown("-ssconf") | SCHEDULER)
    for name, rule in RULES.items():
        configure("-Ap", {"pe_name": name, "allocation_rule": rule} | ENVIRONMENT)
    for option in ("-ah", "-as"):
        command("qconf", option, ",".join((*NODES, "controller")))
    for node, host in zip(NODES, hosts.names):
        SPACES[node] = hosts.prefix + host
        start_on(node, "daemon", "sge_execd")
        start_worker(node)
    until(lambda: len(command("qconf", "-sel", check=False).split()) == len(NODES), "no execution hosts")
    configure("-Aq", shown("-sq") | QUEUE)
    until(are_ready, "the nodes were not ready")

# SPDX-License-Identifier: Apache-2.0
"""A real Grid Engine for tests of `muster launch`, in the name spaces of apart.sh: a master, and a daemon for each of three nodes, each
with a name, a network and an ssh server of its own."""
import os
import pathlib

from batch_system import NODES, PLACE, STATES, command, make_nodes, start, start_on, until
from launches import make_keys
from muster import BIN

PACKAGES = "gridengine-master gridengine-exec gridengine-client openmpi-bin openssh-client"
KEYS = PLACE / "keys"
CELL = pathlib.Path("/var/lib/gridengine/default/common")
# Jobs are root's here, are looked for every second, and start at once.
CONFIGURATION = {"min_uid": "0", "min_gid": "0", "load_report_time": "00:00:02"}
SCHEDULER = {"schedule_interval": "0:0:1", "flush_submit_sec": "1", "flush_finish_sec": "1"}
# Of a parallel environment, beside its name and its rule.
ENVIRONMENT = dict.fromkeys(("user_lists", "xuser_lists", "start_proc_args", "stop_proc_args", "qsort_args"), "NONE") | {
    "slots": "999", "control_slaves": "TRUE", "job_is_first_task": "FALSE", "urgency_slots": "min", "accounting_summary": "FALSE"}
RULES = {"one": "1", "two": "2", "filled": "$fill_up"}  # how many slots a node gives, by parallel environment
QUEUE = {"qname": "all.q", "hostlist": " ".join(NODES), "slots": "4", "pe_list": " ".join(RULES),
         "load_thresholds": "NONE"}  # other programs may keep this machine busy
WORKERS = {}  # by node, its ssh server


def shown(option):
    """The fields that qconf shows."""
    return dict(line.split(None, 1) for line in command("qconf", option).splitlines() if line and not line.startswith("#"))


def configure(option, fields):
    file = PLACE / "global"  # a name that qconf -Mconf wants
    file.write_text("".join(f"{name} {value}\n" for name, value in fields.items()))
    command("qconf", option, file)


def start_node_program(node, name, *words):
    """With the name of the node, and the interfaces of its network."""
    return start_on(node, f"{name}-{node}", f'hostname {node} && mount -t sysfs devices /sys && exec "$@"', *words)


def start_worker(node):
    WORKERS[node] = start_node_program(node, "worker", BIN / "muster", "worker", "--port", "22", "--keys", KEYS)


def stop_worker(node):
    WORKERS[node].terminate()
    WORKERS[node].wait()


def are_ready():
    """Whether each node has told its load, and takes jobs."""
    fields = [line.split() for line in command("qstat", "-f", check=False).splitlines() if line.startswith("all.q@")]
    return len(fields) == len(NODES) and all(len(line) == 5 and line[3] != "-NA-" for line in fields)


def start_grid_engine():
    PLACE.mkdir()
    make_keys(KEYS)
    make_nodes()
    STATES.append(("qstat", "-f"))
    os.environ["SGE_ND"] = "1"  # no daemons
    (CELL / "act_qmaster").write_text("controller\n")
    start("master", "sge_qmaster")
    until(lambda: command("qconf", "-sconf", check=False), "no master")
    configure("-Mconf", shown("-sconf") | CONFIGURATION)
    configure("-Msconf", shown("-ssconf") | SCHEDULER)
    for name, rule in RULES.items():
        configure("-Ap", {"pe_name": name, "allocation_rule": rule} | ENVIRONMENT)
    for option in ("-ah", "-as"):
        command("qconf", option, ",".join((*NODES, "controller")))
    for node in NODES:
        start_node_program(node, "daemon", "sge_execd")
        start_worker(node)
    until(lambda: len(command("qconf", "-sel", check=False).split()) == len(NODES), "no execution hosts")
    configure("-Aq", shown("-sq") | QUEUE)
    until(are_ready, "the nodes were not ready")

# SPDX-License-Identifier: Apache-2.0
"""What keeps a job of `muster launch` from its start, as it is done to one host or to the job, and what muster must say of it."""
import dataclasses
import os
import sys

sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/support"))
import open_mpi_5  # noqa: E402
from launches import PROGRAM  # noqa: E402
from muster import BIN, SOURCE  # noqa: E402

LIBRARIES = "/usr/lib/x86_64-linux-gnu"
COMPONENTS = f"{LIBRARIES}/openmpi/lib/openmpi3"
LIBMUSTER = BIN.parent / "lib/muster/libmuster.so"
TOPOLOGY = SOURCE / "topology/ndv5-topo.xml"


@dataclasses.dataclass(frozen=True)
class Fault:
    name: str
    says: tuple  # words of the reason
    blames_host: bool = True  # and else nobody
    before: str = ""  # commands on the host before its worker starts; FOLDER is the host's own
    after: str = ""  # and once it runs
    environment: dict = dataclasses.field(default_factory=dict)  # of muster launch; FOLDER as before
    options: tuple = ()
    edit: str = ""  # sed's, of mpirun's words, one on each line
    ssh: str = ""  # options of ssh to this host
    keys: str = "keys"
    may_name_nobody: bool = False  # mpirun of Open MPI 4 names a rank in its last block, which it sometimes does not write


def without(file):
    """A command that takes a file away, for the host alone."""
    folder, name = os.path.split(file)
    return f"mkdir -p FOLDER/without; mknod FOLDER/without/{name} c 0 0; mount -t overlay overlay -o lowerdir=FOLDER/without:{folder} {folder};"


def is_empty(file):
    return f"mount --bind /dev/null $(readlink -f {file});"


def becomes(file, commands, interpreter="/bin/sh"):
    """A command that puts a script in the place of a program."""
    return f"printf '#!{interpreter}\\n%s\\n' '{commands}' > FOLDER/own; chmod 755 FOLDER/own; mount --bind FOLDER/own {file};"


def shell(program):
    """A command that gives root another shell."""
    return f"sed 's#^root:.*#root:x:0:0:root:/root:{program}#' /etc/passwd > FOLDER/passwd; mount --bind FOLDER/passwd /etc/passwd;"


OTHER_KIND_OF_CPU = r"printf '\177ELF\002\001\001\000\000\000\000\000\000\000\000\000\002\000\067\000%045d' 0"

COMMON = (
    Fault("the user may not log in", ("the user may not log in",), before=shell("/usr/sbin/nologin")),
    Fault("a startup file ends", ("mpirun's daemon did not start",),
          before="printf '#!/bin/sh\\nexit 1\\n' > FOLDER/sh; chmod 755 FOLDER/sh;" + shell("FOLDER/sh")),
    Fault("the key is refused", ("refuses the key", "Permission denied (publickey)", "authorized_keys"), keys="refusing"),
    Fault("the host key is unknown", ("host key is not known", "the same --keys"), keys="wrong"),
    Fault("the name is unknown to ssh", ("the name cannot be resolved", "nowhere.invalid"), ssh="-o HostName=nowhere.invalid"),
    Fault("nobody listens", ("ssh gets no connection", "Connection refused"), ssh="-o Port=9"),
    Fault("no way to the host", ("ssh gets no connection", "No route to host"), ssh="-o HostName=10.77.0.250"),
    Fault("the program is missing", ("the check is not installed", "muster-host-allreduce", "install muster"), before=without(PROGRAM)),
    Fault("the program is not executable", ("cannot be executed",), before=is_empty(PROGRAM)),
    Fault("the program is of another CPU", ("another kind of CPU",),
          before=f"{OTHER_KIND_OF_CPU} > FOLDER/own; chmod 755 FOLDER/own; mount --bind FOLDER/own {PROGRAM};"),
    Fault("muster's library is damaged", ("a library of the check is missing", "libmuster"), after=is_empty(LIBMUSTER),
          may_name_nobody=True),
    Fault("the interface does not exist", ("there is no interface eth7 here", "--interface"), blames_host=False, options=("--interface", "eth7")),
    Fault("there are too many ranks", ("ranks do not fit on the CPUs", "--ranks-on-each"), blames_host=False, edit="/^-np$/{n;s/.*/30/}"),
    Fault("there is no host file", ("mpirun cannot open its host file",), blames_host=False, edit="s#^.*/hosts$#/nowhere/hosts#"),
    Fault("an option is unknown", ("mpirun does not know an option", "--no-such"), blames_host=False, edit="s/^--oversubscribe$/--no-such/"),
    Fault("a component is unknown everywhere", ("lacks a component", "ucxx"), blames_host=False, environment={"OMPI_MCA_pml": "ucxx"}),
    Fault("a rank never starts MPI", ("did not come to the start of MPI", "muster host_allreduce"), before=becomes(PROGRAM, "exec sleep 60"),
          options=("--deadline", "9")),
    Fault("the daemon ends amid the job", ("mpirun's daemon ended, or the network to it failed",),
          before=becomes(PROGRAM, "sleep 0.5; kill -9 $PPID; sleep 1")),
)

OPEN_MPI_4 = (
    *COMMON,
    Fault("the daemon is missing", ("mpirun's daemon is not installed", "orted: No such file", "install the same version of Open MPI"),
          before=without("/usr/bin/orted")),
    Fault("the daemon is not executable", ("mpirun's daemon cannot be executed", "orted: Permission denied"), before=is_empty("/usr/bin/orted")),
    Fault("the daemon has no interpreter", ("mpirun's daemon",), before=becomes("/usr/bin/orted", "true", "/nowhere/sh")),
    Fault("a library of the daemon is damaged", ("a library of mpirun's daemon is missing", "libopen-rte"),
          after=is_empty(f"{LIBRARIES}/libopen-rte.so.40")),
    Fault("a library of the program is missing", ("a library of the check is missing", "libmpi.so.40"), before=without(f"{LIBRARIES}/libmpi.so.40"),
          may_name_nobody=True),
    Fault("a component is missing on the host", ("lacks a component", "ob1"), before=is_empty(f"{COMPONENTS}/mca_pml_ob1.so"),
          environment={"OMPI_MCA_pml": "ob1"}),
    Fault("a transport is unknown everywhere", ("lacks a component", "tcpp"), blames_host=False, environment={"OMPI_MCA_btl": "tcpp,self"}),
    Fault("no transport reaches another host", ("two ranks have no way to each other",), blames_host=False, environment={"OMPI_MCA_btl": "self"},
          options=("--deadline", "60")),
    Fault("a rank is killed", ("a rank was killed", "signal 9", "kernel log"), before=becomes(PROGRAM, "kill -KILL $$")),
    Fault("the CPU lacks an instruction", ("an instruction that the CPU does not know",), before=becomes(PROGRAM, "kill -ILL $$")),
    Fault("a rank crashes", ("a rank was ended by a signal", "signal 11"), before=becomes(PROGRAM, "kill -SEGV $$")),
    Fault("a rank has a bus error", ("bus error", "/dev/shm"), before=becomes(PROGRAM, "kill -BUS $$")),
    Fault("a rank ends by itself", ("a rank ended by itself",), before=becomes(PROGRAM, "exit 7"), may_name_nobody=True),
    Fault("/tmp is full", ("PMIx cannot make its files", "/tmp"), after="mount -t tmpfs -o size=4k tmpfs /tmp; head -c 9000 /dev/zero > /tmp/f; true"),
    Fault("/tmp is read-only", ("a file system cannot be written to", "/tmp"), after="mount -t tmpfs -o ro tmpfs /tmp"),
    Fault("/tmp has no room for a file more", ("a file system is full", "/tmp"), after="mount -t tmpfs -o nr_inodes=1 tmpfs /tmp"),
    Fault("no way back to mpirun", ("mpirun's daemon could not reach mpirun", "firewall"), after="iptables -A OUTPUT -p tcp --syn -j REJECT"),
    Fault("the daemon may open few files", ("too many files are open", "ulimit -n"), before="cp /usr/bin/orted FOLDER/orted;" + becomes("/usr/bin/orted", "ulimit -n 12; exec FOLDER/orted \"$@\"")),
    Fault("memory is limited", ("memory ran out",), before="ulimit -v 200000;"),
    Fault("slots are too few", ("fewer slots",), blames_host=False, edit="/^--oversubscribe$/d;/^--map-by$/,+1d;/^-np$/{n;s/.*/30/}"),
    Fault("ranks do not fit on the CPUs", ("ranks do not fit",), blames_host=False,
          options=("--topology", TOPOLOGY, "--ranks-on-each", "8")),
)


def of_open_mpi_5(place):
    """place: where it is installed."""
    return (
        *COMMON,
        Fault("the daemon is missing", ("mpirun's daemon is not installed", "prted: No such file"), before=without(f"{place}/bin/prted")),
        Fault("the daemon is not executable", ("mpirun's daemon cannot be executed",), before=is_empty(f"{place}/bin/prted")),
        Fault("the daemon has no interpreter", ("mpirun's daemon",), before=becomes(f"{place}/bin/prted", "true", "/nowhere/sh")),
        Fault("the daemon is of another CPU", ("mpirun's daemon",),
              before=f"{OTHER_KIND_OF_CPU} > FOLDER/own; chmod 755 FOLDER/own; mount --bind FOLDER/own {place}/bin/prted;"),
        Fault("a library of the daemon is damaged", ("a library of mpirun's daemon is missing", "libprrte"),
              after=is_empty(f"{place}/lib/openmpi/libprrte.so.3")),
        Fault("no transport reaches another host", ("two ranks have no way to each other",), blames_host=False,
              environment={"OMPI_MCA_btl": "self"}, options=("--deadline", "60")),
        Fault("the daemon is of version 4", ("mpirun's daemon is of another version",),
              before=becomes(f"{place}/bin/prted", "unset OPAL_PREFIX LD_LIBRARY_PATH; exec /usr/bin/orted \"$@\"")),
        Fault("the folder of sessions is full", ("mpirun's daemon did not start", "Daemon exit status: 213"),
              before="mkdir FOLDER/sessions; mount -t tmpfs -o size=4k,nr_inodes=2 tmpfs FOLDER/sessions;",
              environment={"PRTE_MCA_prte_tmpdir_base": "FOLDER/sessions"}),
        Fault("no way back to mpirun", ("mpirun's daemon did not start, or could not reach mpirun",),
              after="iptables -A OUTPUT -p tcp --syn -j REJECT"),
        Fault("ranks do not fit on the CPUs", ("ranks do not fit",), blames_host=False,
              options=("--topology", TOPOLOGY, "--ranks-on-each", "8")),
    )


def of_version_5_on_the_host(place):
    """mpirun is of version 4, and a host has the daemon of version 5."""
    start = f"{variables_of(place)} exec {place}/bin/prted \"$@\""
    return (Fault("the daemon is of version 5", ("mpirun's daemon is of another version",), before=becomes("/usr/bin/orted", start)),)


def variables_of(place):
    """In words of a shell."""
    return " ".join(f"{name}={value}" for name, value in open_mpi_5.variables(place).items())

// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/start/launcher_causes.hpp"

#include <array>

namespace muster::healthcheck {
namespace {

constexpr std::string_view same_mpi = "install the same version of Open MPI there, in the same folder";
constexpr std::string_view same_muster = "install muster there, in the same folder";
constexpr std::string_view no_daemon = "mpirun's daemon is not installed";
constexpr std::string_view other_daemon = "mpirun's daemon is of another version";
constexpr std::string_view no_connection = "ssh gets no connection";
constexpr std::string_view look_at_ssh = "look whether the host runs, and whether its ssh server listens on that port";
constexpr std::string_view host_key = "the ssh server has another host key than the known one";
constexpr std::string_view too_few_cpus = "the ranks do not fit on the CPUs";
constexpr std::string_view fewer_ranks =
    "give fewer ranks (--ranks-on-each), or the topology file of these machines (--topology)";
constexpr std::string_view kernel_log = "see the kernel log of that time: it kills so when memory runs out";
constexpr std::string_view see_program = "run the check alone there (muster CHECK): it says what is wrong";
constexpr std::string_view free_room = "make room in /tmp there, and look whether it can be written to";
constexpr std::string_view name_network = "name one that each host has, or the hosts' network (--interface)";
constexpr std::string_view other_cpu = "install what was built for the CPU of that host";
constexpr std::string_view not_open_mpi = "put the mpirun of Open MPI first in PATH";
constexpr std::string_view more_memory = "look what else uses memory there, and at its limits (ulimit -a)";
constexpr std::string_view open_the_way =
    "let TCP pass from the hosts to this machine (firewall), or name the network (--interface)";

constexpr std::array causes{
    // What ssh says.
    LauncherCause{"Permission denied (", "", "the ssh server refuses the key", "*",
                  "put the job's public key into authorized_keys there", Blame::daemon},
    LauncherCause{"REMOTE HOST IDENTIFICATION HAS CHANGED", "", host_key, "", remedy_of_host_key, Blame::daemon},
    LauncherCause{"host key is known for", "", "the host key is not known", "*", remedy_of_host_key, Blame::daemon},
    LauncherCause{"Host key verification failed", "", host_key, "*", remedy_of_host_key, Blame::daemon},
    LauncherCause{"ssh: Could not resolve hostname", "", "the name cannot be resolved", "*",
                  "correct the name, or the name server that ssh asks", Blame::daemon},
    LauncherCause{"ssh: connect to host", "", no_connection, "*", look_at_ssh, Blame::daemon},
    LauncherCause{"Connection closed by", "", "the ssh server ended the connection", "*",
                  "see the log of the ssh server there", Blame::daemon},
    LauncherCause{"Connection reset by", "", "the ssh server ended the connection", "*",
                  "see the log of the ssh server there", Blame::daemon},
    LauncherCause{"Too many authentication failures", "", "the ssh server refuses the key", "*",
                  "offer it fewer keys (IdentitiesOnly)", Blame::daemon},
    LauncherCause{"account is currently not available", "", "the user may not log in", "*",
                  "give the user a shell there", Blame::daemon},
    // What the shell and the loader say of the daemon.
    LauncherCause{"rted: No such file", "", no_daemon, "*", same_mpi, Blame::shell},
    LauncherCause{"rted: not found", "", no_daemon, "*", same_mpi, Blame::shell},
    LauncherCause{"rted: command not found", "", no_daemon, "*", same_mpi, Blame::shell},
    LauncherCause{"rted: Command not found", "", no_daemon, "*", same_mpi, Blame::shell},
    LauncherCause{"command not found: ", "rted", no_daemon, "*", same_mpi, Blame::shell},
    LauncherCause{"_pmi_proxy: No such file", "", no_daemon, "*", "install the same MPICH there", Blame::daemon},
    LauncherCause{"rted: Permission denied", "", "mpirun's daemon cannot be executed", "*", same_mpi, Blame::shell},
    LauncherCause{"rted: cannot execute", "", "mpirun's daemon cannot be executed", "*", same_mpi, Blame::shell},
    LauncherCause{"rted: error while loading shared libraries", "", "a library of mpirun's daemon is missing", "*",
                  same_mpi, Blame::shell},
    LauncherCause{"rted: symbol lookup error", "", other_daemon, "*", same_mpi, Blame::shell},
    LauncherCause{"rted: Error: unknown option", "", other_daemon, "*", same_mpi, Blame::daemon},
    LauncherCause{"prted has detected an attempt to run as root", "", other_daemon, "", same_mpi, Blame::daemon},
    LauncherCause{"on the prted command line", "", other_daemon, "*", same_mpi, Blame::daemon},
    LauncherCause{"unable to connect to server", "[proxy:", "the daemon cannot reach mpirun", "*", open_the_way,
                  Blame::host},
    LauncherCause{"execvp error on file", "[mpiexec@", "ssh is not installed here", "*", "install openssh-client",
                  Blame::nobody},
    // The command line and what all hosts are told.
    LauncherCause{"unrecognized argument", "[mpiexec@", "this mpirun is not of Open MPI", "*", not_open_mpi,
                  Blame::nobody},
    LauncherCause{"Error: unknown option", "", "mpirun does not know an option", "*", not_open_mpi, Blame::nobody},
    LauncherCause{"unrecognized option was included", "", "mpirun does not know an option", "Option", not_open_mpi,
                  Blame::nobody},
    LauncherCause{"_agent\" was set to a path that could not be found", "", "ssh is not installed here", "",
                  "install openssh-client", Blame::nobody},
    LauncherCause{"unable to open the hostfile", "", "mpirun cannot open its host file", "*",
                  "look whether TMPDIR can be read by this user", Blame::nobody},
    LauncherCause{"unable to open host file", "", "mpirun cannot open its host file", "*",
                  "look whether TMPDIR can be read by this user", Blame::nobody},
    LauncherCause{"multiple definitions of the slot count", "", "mpirun takes hosts for one whose names begin alike",
                  "node", "set PRTE_MCA_prte_keep_fqdn_hostnames=1", Blame::nobody},
    LauncherCause{"not enough slots", "", "the hosts have fewer slots than the job has ranks", "",
                  "give fewer ranks (--ranks-on-each), or more slots in the hostfile", Blame::nobody},
    LauncherCause{"requested more processes than the ppr", "", too_few_cpus, "PPR", fewer_ranks, Blame::nobody},
    LauncherCause{"binding more processes than cpus", "", too_few_cpus, "", fewer_ranks, Blame::nobody},
    LauncherCause{"found no available cpus", "", "there is no CPU to bind a rank to", "", fewer_ranks, Blame::host},
    LauncherCause{"Conflicting directives for", "policy", "mpirun is told two ways to place ranks", "*",
                  "unset OMPI_MCA_ and PRTE_MCA_ variables about mapping and binding", Blame::nobody},
    LauncherCause{"None of the TCP networks specified", "", "the interface or network does not exist here",
                  "Value given", name_network, Blame::nobody},
    LauncherCause{"No network interfaces were found", "", "the interface or network does not exist here", "",
                  name_network, Blame::nobody},
    LauncherCause{"unable to find interface", "", "the interface does not exist here", "*", name_network,
                  Blame::nobody},
    LauncherCause{"invalid value was given for btl_tcp_if", "", "the interface or network does not exist", "Value",
                  name_network, Blame::alike},
    LauncherCause{"unable to reach each other", "", "two ranks have no way to each other", "BTLs attempted",
                  "name the hosts' network (--interface), and unset OMPI_MCA_btl", Blame::nobody, false, true},
    LauncherCause{"failed to TCP connect to a peer", "", "a rank cannot reach another", "Message",
                  "let TCP pass between the hosts at all ports, or name another network with --interface",
                  Blame::nobody, false, true},
    LauncherCause{"requested component was not found", "", "Open MPI lacks a component that is asked for", "Component",
                  "install it, or unset OMPI_MCA_pml, OMPI_MCA_btl and their like", Blame::alike},
    LauncherCause{"No components were able to be opened", "", "Open MPI lacks a component that is asked for",
                  "Framework", "install it, or unset OMPI_MCA_pml, OMPI_MCA_btl and their like", Blame::alike},
    // The program.
    LauncherCause{"could not access", "executable", "the check is not installed, or cannot be executed", "Executable",
                  same_muster, Blame::host},
    LauncherCause{"unable to find the specified executable", "", "the check is not installed", "Executable",
                  same_muster, Blame::host},
    LauncherCause{"execvp error on file", "[proxy:", "the check cannot be executed", "*", same_muster, Blame::host},
    LauncherCause{"slurmstepd", "error: execve", "the check cannot be executed", "*", same_muster, Blame::host},
    LauncherCause{"change to the specified working directory", "", "the working folder is not there",
                  "Working directory", "start muster in a folder that each host has", Blame::host},
    LauncherCause{"unable to change wdir to", "", "the working folder is not there", "*",
                  "start muster in a folder that each host has", Blame::host},
    LauncherCause{"Exec format error", "", "the check is built for another kind of CPU", "Application name", other_cpu,
                  Blame::host},
    LauncherCause{"the \"execve\" system call but failed", "", "the check cannot be executed", "Error", same_muster,
                  Blame::host},
    LauncherCause{"error while loading shared libraries", "", "a library of the check is missing", "*",
                  "install the packages that muster needs there", Blame::host},
    LauncherCause{"symbol lookup error", "", "a library of the check is of another version", "*",
                  "install the packages that muster needs there", Blame::host},
    LauncherCause{"version `", "not found", "a library of the check is too old", "*",
                  "install muster for that system there", Blame::host},
    LauncherCause{"exited on signal 4 ", "", "a rank was ended by an instruction that the CPU does not know", "*",
                  other_cpu, Blame::host},
    LauncherCause{"exited on signal 9 ", "", "a rank was killed", "*", kernel_log, Blame::host},
    LauncherCause{"exited on signal 7 ", "", "a rank was ended by a bus error", "*",
                  "look whether /dev/shm is full there", Blame::host},
    LauncherCause{"exited on signal ", "", "a rank was ended by a signal", "*", see_program, Blame::host},
    LauncherCause{"BAD TERMINATION", "EXIT CODE: 9 ", "a rank was killed", "", kernel_log, Blame::host},
    LauncherCause{"BAD TERMINATION", "EXIT CODE: 4 ", "a rank was ended by an instruction that the CPU does not know",
                  "", other_cpu, Blame::host},
    LauncherCause{"BAD TERMINATION", "", "a rank ended before its time", "EXIT CODE", see_program, Blame::host},
    // What a host ran out of.
    LauncherCause{"No space left on device", "", "a file system is full", "*", free_room, Blame::host},
    LauncherCause{"Read-only file system", "", "a file system cannot be written to", "*", free_room, Blame::host},
    LauncherCause{"PMIX ERROR", "gds_ds12_lock", "PMIx cannot make its files", "", free_room, Blame::host},
    LauncherCause{"PMIX ERROR: OUT-OF-RESOURCE", "dstore", "PMIx cannot make its files, or memory ran out", "",
                  "make room in /tmp there, and look what else uses memory, and at its limits (ulimit -a)", Blame::host,
                  true},
    LauncherCause{"Too many open files", "", "too many files are open", "*",
                  "raise the limit of open files there (ulimit -n)", Blame::host},
    LauncherCause{"OUT-OF-RESOURCE", "", "memory ran out, or a limit of it", "", more_memory, Blame::host},
    LauncherCause{"Cannot allocate memory", "", "memory ran out, or a limit of it", "*", more_memory, Blame::host},
    LauncherCause{"std::bad_alloc", "", "memory ran out, or a limit of it", "", more_memory, Blame::host},
    LauncherCause{"fork: ", "Resource temporarily unavailable", "no more processes can be started", "*",
                  "look at the limit of processes there (ulimit -u)", Blame::daemon},
    // srun.
    LauncherCause{"Unable to contact slurm controller", "", "Slurm's controller does not answer", "*",
                  "look at slurmctld (scontrol ping)", Blame::nobody},
    LauncherCause{"not establish a configuration source", "", "Slurm is not configured here", "*", "see slurm.conf",
                  Blame::nobody},
    LauncherCause{"srun: error: Task launch for", "failed on node", "Slurm cannot start a program", "*",
                  "look at slurmd there, and whether sinfo shows that node up", Blame::host},
    LauncherCause{"srun: error: Unable to create step", "", "Slurm started no step of the job", "*",
                  "ask for fewer ranks, or see squeue", Blame::nobody},
    // What follows from another cause.
    LauncherCause{"lost communication with a remote daemon", "", "mpirun's daemon ended, or the network to it failed",
                  "", "look at that host's kernel log, and at its network", Blame::binding, true},
    LauncherCause{"MPI_ABORT was invoked", "", "a rank gave up", "", see_program, Blame::host, true},
    LauncherCause{"exiting improperly", "", "a rank ended amid the job", "", see_program, Blame::host, true},
    LauncherCause{"exited with non-zero status", "", "a rank ended by itself", "Exit code", see_program, Blame::host,
                  true},
    LauncherCause{"normally, but", "non-zero exit code", "a rank ended by itself", "", see_program, Blame::host, true},
    LauncherCause{marker_of_no_way_back, "", "mpirun's daemon could not reach mpirun", "", open_the_way, Blame::daemon},
    LauncherCause{"unable to reliably start one or more daemons", "", "mpirun's daemon did not start", "",
                  "start it by hand: ssh HOST orted --version", Blame::daemon, true},
    LauncherCause{"daemon has unexpectedly failed after launch", "", "mpirun's daemon did not start, or ended", "",
                  "start it there by hand (srun orted --version), and see that no firewall stands between",
                  Blame::daemon, true},
    LauncherCause{"daemon failed to report back", "", "mpirun's daemon did not start, or could not reach mpirun",
                  "Daemon exit status",
                  "start it by hand (ssh HOST prted --version), and see that no firewall stands between", Blame::daemon,
                  true},
    LauncherCause{"Launch proxy failed", "", "mpirun's daemon did not start", "",
                  "start it by hand: ssh HOST hydra_pmi_proxy", Blame::daemon, true},
};

}  // namespace

std::span<const LauncherCause> launcher_causes() { return causes; }

}  // namespace muster::healthcheck

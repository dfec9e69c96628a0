# SPDX-License-Identifier: Apache-2.0
"""One or two virtual machines under software emulation: Debian's kernel over this machine's root. Two have a network between
them, and a second wire for RDMA."""
import contextlib
import os
import pathlib
import shutil
import socket
import subprocess
import tempfile
import time
import unittest

from muster import BIN, report

HERE = pathlib.Path(__file__).parent / "vm"
PROGRAMS = ("qemu-system-x86_64", "busybox", "cpio", "depmod", "dropbear", "dbclient", "dropbearkey", "mdadm", "dmsetup")
NETWORK = "10.9.9"
RSH = """#!/bin/sh
# mpirun's remote shell: ADDRESS COMMAND...
address=$1
shift
exec dbclient -y -i /job/key "root@$address" "$*"
"""
SERVER = """
mkdir -p /root/.ssh && cp /job/key.pub /root/.ssh/authorized_keys && chmod -R go= /root/.ssh
dropbear -F -E -s -r /job/host_key &
until [ -e /job/done ]; do sleep 0.2; done
"""


def missing(*more):
    """Programs that this machine lacks for it, and for more that a test needs."""
    found = [program for program in (*PROGRAMS, *more) if shutil.which(program, path=os.environ["PATH"] + ":/usr/sbin") is None]
    return found if os.geteuid() == 0 else [*found, "the rights of root"]


def listens(port):
    return f"0100007F:{port:04X} 00000000:0000 0A" in pathlib.Path("/proc/net/tcp").read_text()


def free_ports(count):
    with contextlib.ExitStack() as sockets:
        free = [sockets.enter_context(socket.socket()) for _ in range(count)]
        for each in free:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in free]


def cache():
    folder = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "muster/vm"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


class Guests:
    """guest1 runs a script and, unless it is alone, reaches guest2 by ssh; both see the folder as /job. Each has an NVMe
    drive for each of the given ones, which keep what is on them from one run to the next, as those of a machine that is started
    again."""

    def __init__(self, folder, drives=(), *, drive_bytes, mebibytes):
        self.folder = pathlib.Path(folder)
        self.drives = drives
        self.mebibytes = mebibytes
        for number in range(len(drives)):
            with self.drive(number).open("wb") as file:
                file.truncate(drive_bytes)
        self.kernel = cache()
        subprocess.run([HERE / "build", self.kernel], check=True, capture_output=True, text=True)
        shutil.copy(HERE / "guest", self.folder)
        for name in ("key", "host_key"):
            made = subprocess.run(["dropbearkey", "-t", "ed25519", "-f", self.folder / name], check=True,
                                  capture_output=True, text=True)
            (self.folder / f"{name}.pub").write_text(made.stdout.splitlines()[1] + "\n")
        (self.folder / "rsh").write_text(RSH)
        (self.folder / "rsh").chmod(0o755)
        (self.folder / "guest2.sh").write_text(SERVER)

    def drive(self, number):
        """The file that is the drive."""
        return self.folder / f"drive{number}.img"

    def boot(self, guest, *networks, cores=1, kernel=""):
        # With room for a second core the emulator keeps the guest's memory barriers. Without them the network loses an interrupt
        # under load now and then, and is dead from then on (QEMU 7.2, accel/tcg/tcg-accel-ops-mttcg.c: max_cpus > 1).
        # All cores have the counter of this machine, which the kernel would not believe: its other clocks are read by the emulator,
        # for longer than a message takes.
        command = [
            "qemu-system-x86_64", "-accel", "tcg,thread=multi", "-cpu", "max", "-smp", f"{cores},maxcpus=2", "-m", str(self.mebibytes), "-nographic",
            "-no-reboot", "-kernel", self.kernel / "vmlinuz", "-initrd", self.kernel / "initrd.gz",
            "-append", f"console=ttyS0 quiet edd=off tsc=reliable panic=-1 guest={guest} {kernel}",
            "-virtfs", "local,path=/,mount_tag=host,security_model=none,readonly=on,multidevs=remap",
            "-virtfs", f"local,path={self.folder},mount_tag=job,security_model=none",
            "-device", "virtio-rng-pci"]
        for number, network in enumerate(networks):
            command += ["-netdev", f"{network},id=n{number}",
                        "-device", f"virtio-net-pci,netdev=n{number},mac=52:54:00:00:0{number}:0{guest}"]
        for number, drive in enumerate(self.drives):
            command += drive.arguments(number, self.drive(number))
        with (self.folder / f"console{guest}").open("w") as console:
            return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=console, stderr=subprocess.STDOUT)

    def run(self, script, seconds, alone=False, kernel=""):
        """Runs the script in guest1 and returns its exit code, or none if it had no end. Its network card is `$nic`, and the
        second wire of both guests the interface `wire`. The kernel's parameters are those of one that is alone."""
        (self.folder / "guest1.sh").write_text(f'trap "touch /job/done" EXIT\n{script}')
        ended = self.folder / "exit1"
        ended.unlink(missing_ok=True)
        end = time.monotonic() + seconds
        guests = {}
        try:
            if alone:
                guests[1] = self.boot(1, "hubport,hubid=0", cores=2, kernel=kernel)
            else:
                self.boot_both(guests, end)
            while guests[1].poll() is None and self.goes_on(guests, end):
                time.sleep(0.2)
        finally:
            for guest in guests.values():
                guest.kill()
                guest.wait()
        return int(ended.read_text()) if ended.exists() else None

    def boot_both(self, guests, end):
        ports = free_ports(2)
        guests[2] = self.boot(2, *(f"socket,listen=127.0.0.1:{port}" for port in ports))
        while not all(map(listens, ports)) and self.goes_on(guests, end):
            time.sleep(0.1)
        guests[1] = self.boot(1, *(f"socket,connect=127.0.0.1:{port}" for port in ports))

    def goes_on(self, guests, end):
        """Whether no guest broke down, and there is time."""
        broken = [guest for guest, process in guests.items()
                  if process.poll() is not None and not (self.folder / f"exit{guest}").exists()]
        return not broken and time.monotonic() < end

    def words(self):
        """What guest1 and the consoles said, for a test that failed."""
        return "\n".join((self.folder / name).read_text(errors="replace")[-2000:]
                         for name in ("output1", "output2", "console1", "console2") if (self.folder / name).exists())


class InGuests(unittest.TestCase):
    """Tests of what SCRIPT leaves in the folder, where it finds FILES, texts by name. DRIVES, DRIVE_BYTES and MEBIBYTES are those of
    Guests."""
    SCRIPT = ""
    SECONDS = 0
    ALONE = False
    FILES = {}
    DRIVES = ()
    DRIVE_BYTES = 512 << 20  # of files with holes
    MEBIBYTES = 1024

    @classmethod
    def setUpClass(cls):
        place = tempfile.TemporaryDirectory()
        cls.addClassCleanup(place.cleanup)
        cls.folder = pathlib.Path(place.name)
        for name, text in cls.FILES.items():
            (cls.folder / name).write_text(text)
        cls.guests = Guests(cls.folder, cls.DRIVES, drive_bytes=cls.DRIVE_BYTES, mebibytes=cls.MEBIBYTES)
        cls.prepare()

    said = ""

    @classmethod
    def prepare(cls):
        """Starts the machines, as often as the tests need."""
        cls.start(cls.SCRIPT)

    @classmethod
    def start(cls, script, kernel=""):
        code = cls.guests.run(script, cls.SECONDS, cls.ALONE, kernel)
        cls.said += cls.guests.words()
        assert code == 0, cls.said


# calibrate PROFILE REPORT...: `again REPORT` measures once more what is too uncertain for thresholds, as a user would, or one
# after the other where runs differ.
CALIBRATE = f"""
calibrate() {{
  local reports=("${{@:2}}") round uncertain file
  for round in {{0..9}}; do
    if '{BIN / "muster"}' calibrate "${{reports[@]}}" --name "${{1%.json}}" --pass 0.6 --fail 0.4 --output "$1" --force 2>calibrate.txt &&
      ! grep -q "uncertain in run" calibrate.txt; then return; fi
    uncertain=$(sed -n '/uncertain in run/ {{s/.* run \\([0-9a-f]*\\) .*/\\1/p; q}}' calibrate.txt)
    file=$(grep -l "\\"run_id\\": \\"$uncertain\\"" "${{reports[@]}}") || file=${{reports[round % ${{#reports[@]}}]}}
    again "$file"
  done
  cat calibrate.txt
  exit 1
}}
"""


class JobsInGuests(InGuests):
    """Tests of jobs that the script starts by `job NAME OPTIONS...` in /job, as JOB says: one process on each guest, mpirun by the
    command `limit` where there is one. One that fails says what the networks looked like."""
    SECONDS = 1200
    SECOND = f"{NETWORK}.2"
    JOB = f"""{CALIBRATE}
cd /job || exit 1
export OMPI_MCA_plm_rsh_agent=/job/rsh OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_btl=tcp,self
export OMPI_MCA_btl_tcp_if_include={NETWORK}.0/24 OMPI_MCA_oob_tcp_if_include={NETWORK}.0/24
job() {{
  "${{limit[@]}}" mpirun --allow-run-as-root --bind-to none -np 2 -H {NETWORK}.1,{SECOND} "${{program[@]}}" \\
    --report "$1.json" "${{@:2}}" >"$1.txt" 2>&1
  local code=$?
  echo $code >"$1.exit"
  if ((code)); then {{ state; there "$(declare -f state); state"; }} >>"$1.txt" 2>&1; fi
}}
state() {{
  echo "networks of $(hostname):"
  ip -s link
  ip neigh
  dmesg | tail -n 5
}}
there() {{ timeout 30 dbclient -y -i /job/key root@{SECOND} "PATH=/usr/sbin:/usr/bin:/sbin:/bin; $*"; }}
until there true; do sleep 0.5; done
"""

    def job(self, name):
        """The exit code of a job, its report and what it said."""
        said = (self.folder / f"{name}.txt").read_text()
        self.assertTrue((self.folder / f"{name}.json").exists(), said)
        document = report(self.folder, f"{name}.json")
        self.assertEqual(sorted(host["name"] for host in document["hosts"]), ["guest1", "guest2"])
        return int((self.folder / f"{name}.exit").read_text()), document, said

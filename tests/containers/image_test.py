# SPDX-License-Identifier: Apache-2.0
"""The image that MUSTER_IMAGE names, as build_image.sh makes it: what is inside, who runs it, and that muster works in it."""
import hashlib
import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/support"))
from muster import REPORT, SOURCE  # noqa: E402

IMAGE = os.environ["MUSTER_IMAGE"]
MOST_BYTES = {"muster": 150e6, "muster-gpu": 1e9}[IMAGE]  # compressed: what a node pulls
FOLDERS = ["host", "log", "mpi", "verbs", "disk", *(["cuda", "cublas", "nccl"] if IMAGE == "muster-gpu" else [])]
COMPILERS = re.compile(r"((x86_64|aarch64)-linux-gnu-)?(gcc|g\+\+|cc|c\+\+|cpp|as|ld)(\.(bfd|gold)|-\d+)?|cc1(plus)?|clang.*|nvcc|ptxas|cmake|ninja|make")
LIST = "usr/share/muster/muster.spdx.json"
CODES = {"pass": 0, "warn": 0, "fail": 1, "unknown": 3}
SPDX_TOOLS = "spdx-tools==0.8.3"  # SPDX's own validator


def output(*command, **options):
    return subprocess.run([*map(str, command)], check=True, text=True, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, **options).stdout


def remove(folder):
    subprocess.run(["rm", "-rf", "--one-file-system", folder], check=True)


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


def spdx_validator(cache):
    """Its folder of Python packages, fetched once."""
    place = cache / SPDX_TOOLS.replace("==", "-")
    if not place.exists():
        new = cache / "spdx-tools.new"
        shutil.rmtree(new, ignore_errors=True)
        output("/usr/bin/python3", "-m", "pip", "install", "--quiet", "--target", new, SPDX_TOOLS)
        new.rename(place)
    return place


class Image(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.archive = pathlib.Path(output(SOURCE / "tests/containers/build_image.sh", IMAGE).strip())
        cls.cache = cls.archive.parent
        cls.store = tempfile.mkdtemp(dir=cls.cache)
        cls.addClassCleanup(remove, cls.store)
        cls.container = cls.buildah("from", "--quiet", f"docker-archive:{cls.archive}").strip()
        cls.addClassCleanup(cls.buildah, "rm", cls.container)
        cls.root = pathlib.Path(cls.buildah("mount", cls.container).strip())
        cls.spdx = json.loads((cls.root / LIST).read_text())
        cls.configuration = json.loads(cls.buildah("inspect", "--type", "container", cls.container))["OCIv1"]["config"]

    @classmethod
    def buildah(cls, *arguments):
        return output("buildah", "--root", f"{cls.store}/root", "--runroot", f"{cls.store}/run", *arguments)

    def command(self, *command, options=()):
        """A command in the image, by its own user."""
        return ["buildah", "--root", f"{self.store}/root", "--runroot", f"{self.store}/run", "run", "--isolation", "chroot", *options,
                self.container, "--", *map(str, command)]

    def inside(self, *command, options=()):
        return subprocess.run(self.command(*command, options=options), text=True, capture_output=True, stdin=subprocess.DEVNULL, check=False)

    def said(self, *command):
        run = self.inside(*command)
        self.assertEqual(run.returncode, 0, f"{command}: {run.stdout}{run.stderr}")
        return run.stdout

    def packages(self):
        return {each["name"]: each for each in self.spdx["packages"]}

    def test_is_small(self):
        shown = output(SOURCE / "containers/show", self.archive)
        print(shown, end="")
        self.assertIn(f"localhost/{IMAGE}:test", shown)
        size = re.search(r"^size .* compressed ([\d.]+) MB$", shown, re.MULTILINE)
        self.assertLess(float(size[1]) * 1e6, MOST_BYTES)
        self.assertRegex(shown, r"(?m)^contains +openmpi-bin \d")

    def test_has_no_compiler(self):
        files = [file for _, _, names in os.walk(self.root) for file in names]
        self.assertIn("muster", files)
        self.assertEqual([file for file in files if COMPILERS.fullmatch(file)], [])

    def test_programs_have_no_symbols(self):
        programs = [*(self.root / "usr/bin").glob("muster*"), *(self.root / "usr/lib/muster").glob("*.so*")]
        programs = [file for file in programs if file.read_bytes()[:4] == b"\x7fELF"]
        self.assertGreater(len(programs), 10)
        for file in programs:
            self.assertNotIn(" .symtab", output("readelf", "--wide", "--section-headers", file), file)

    def test_its_user_is_not_root(self):
        self.assertEqual(self.configuration["User"], "1000:1000")
        self.assertEqual(self.said("id"), "uid=1000(muster) gid=1000(muster) groups=1000(muster)\n")
        self.assertEqual(self.said("sh", "-c", "cd && pwd && touch writable"), "/home/muster\n")
        self.assertEqual(self.configuration["WorkingDir"], "/home/muster")

    def test_starts_muster(self):
        self.assertEqual(self.configuration["Entrypoint"], ["muster"])
        version = self.said("muster", "--version").split()[1]
        labels = {key.removeprefix("org.opencontainers.image."): text for key, text in self.configuration["Labels"].items()}
        self.assertEqual((labels["title"], labels["version"], labels["licenses"]), (IMAGE, version, "Apache-2.0"))
        self.assertEqual(labels["base.name"], "localhost/muster-base:bookworm")
        self.assertTrue(labels["description"])

    def test_holds_no_keys_and_no_leftovers(self):
        self.assertEqual([*(self.root / "etc/ssh").glob("ssh_host_*")], [])
        for folder in ("var/lib/apt/lists", "var/cache/apt", "source", "built", "mnt"):
            place = self.root / folder
            self.assertEqual([*place.iterdir()] if place.exists() else [], [], folder)
        for line in (self.root / "etc/shadow").read_text().splitlines():
            self.assertIn(line.split(":")[1], ("*", "!", "!*"), "a user has a password")

    def test_holds_every_topology_file_and_profile(self):
        share = self.root / "usr/share/muster"
        for source, place in ((SOURCE / "topology", share / "topology"), (SOURCE / "healthcheck/profiles", share / "profiles")):
            files = {file.name: file.read_bytes() for file in source.iterdir() if file.suffix in (".xml", ".json")}
            self.assertTrue(files)
            self.assertEqual({file.name: file.read_bytes() for file in place.iterdir()}, files)

    def test_lists_every_check_and_can_start_it(self):
        expected = {file.stem for folder in FOLDERS for file in (SOURCE / "healthcheck/checks" / folder).glob("*.cpp")}
        listed = {line.split()[0] for line in self.said("muster", "list").splitlines() if line[:1].islower()}
        self.assertEqual(expected - listed, set())
        for check in expected:
            self.assertEqual(json.loads(self.said("muster-" + check.replace("_", "-"), "--describe"))["name"], check)

    def test_has_what_runs_jobs_and_makes_scratch(self):
        self.assertIn("Open MPI", self.said("mpirun", "--version"))
        self.assertIn("verdict", self.said("muster", "fleet", "--help"))
        self.assertIn("NVMe", self.said("muster", "scratch", "--help"))
        for program in ("/usr/sbin/sshd", "/usr/bin/ssh", "/usr/sbin/mdadm", "/usr/sbin/mkfs.ext4"):
            self.said("test", "-x", program)
        self.assertTrue([*self.root.glob("usr/lib/*/libibverbs/libmlx5*")], "there is no provider of InfiniBand")
        for library in ("libnccl.so.2", "libcublasLt.so.13"):
            self.assertEqual((self.root / "usr/lib/muster" / library).exists(), IMAGE == "muster-gpu", library)

    def reported(self, *command):
        """What a command as the image's user exits with, checked against the report that it leaves."""
        with tempfile.TemporaryDirectory(dir=self.cache) as folder:
            os.chown(folder, 1000, 1000)
            run = self.inside(*command, options=("--volume", f"{folder}:/reports"))
            file = pathlib.Path(folder) / "report.json"
            self.assertTrue(file.exists(), run.stdout + run.stderr)
            reports = pathlib.Path(os.environ["MUSTER_REPORTS"])  # where a validator that is not ours looks
            reports.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, reports / f"{IMAGE}-{command[1]}.json")
            report = json.loads(file.read_text())
        REPORT.validate(report)
        self.assertEqual(run.returncode, CODES[report["status"]], run.stdout + run.stderr)
        self.assertIn(run.returncode, (0, 3), run.stdout + run.stderr)
        return report

    def test_checks_the_node_as_its_user(self):
        report = self.reported("muster", "node", "--tier", "preflight", "--even-if-in-use", "--report", "/reports/report.json")
        self.assertFalse([each for each in report["checks"] if each["outcome"] == "not_started"])

    def test_launches_a_job_as_its_user(self):
        report = self.reported("muster", "launch", "--ranks-on-each", 2, "--report", "/reports/report.json", "host_allreduce", "-b", 8,
                               "-e", "64K")
        [run] = [each for each in report["checks"] if each["check"] == "host_allreduce"]
        self.assertEqual((run["outcome"], run["phase"].count("ranks_per_host 2")), ("finished", 1), run)

    def test_is_a_host_of_jobs_as_its_user_and_as_root(self):
        for user, name in (("1000:1000", "muster"), ("0:0", "root")):
            with self.subTest(user=name), tempfile.TemporaryDirectory(dir=self.cache) as folder:
                os.chmod(folder, 0o755)
                output("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", f"{folder}/id_ed25519")
                public = shutil.copy(f"{folder}/id_ed25519.pub", f"{folder}/authorized_keys")
                pathlib.Path(folder, "known_hosts").write_text(f"@cert-authority * {pathlib.Path(public).read_text()}")
                os.chown(f"{folder}/id_ed25519", *map(int, user.split(":")))
                self.work(folder, user, name)

    def work(self, folder, user, name):
        """A worker whose host key the job's key has signed: it is asked over ssh who it is, and then told to end."""
        port = free_port()
        start = f"echo $$ >/tmp/{name}.pid && exec muster worker --port {port} --keys /keys"
        options = ("--user", user, "--volume", f"{folder}:/keys:ro")
        with subprocess.Popen(self.command("sh", "-c", start, options=options), stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as worker:
            try:
                deadline = time.monotonic() + 60
                while self.inside("muster", "probe", "--port", port).returncode != 0:
                    if worker.poll() is not None:
                        self.fail(worker.stderr.read())
                    self.assertLess(time.monotonic(), deadline, "the worker is not ready")
                ssh = ["ssh", "-p", port, "-i", f"{folder}/id_ed25519", "-o", "StrictHostKeyChecking=yes", "-o", f"UserKnownHostsFile={folder}/known_hosts",
                       "-o", "BatchMode=yes", "-o", "LogLevel=ERROR", f"{name}@127.0.0.1"]
                self.assertEqual(output(*ssh, "id -un && muster --version").split()[:2], [name, "muster"])
                subprocess.run([*map(str, ssh), f"kill $(cat /tmp/{name}.pid)"], check=False, capture_output=True)  # which ends it too
                self.assertEqual(worker.wait(timeout=20), 0)
            finally:
                worker.kill()
        self.assertNotEqual(self.inside("muster", "probe", "--port", port).returncode, 0)

    def test_the_list_is_valid(self):
        with tempfile.TemporaryDirectory(dir=self.cache) as folder:
            self.assertEqual(self.validated(self.spdx, folder), 0)
            broken = {**self.spdx, "relationships": [{**self.spdx["relationships"][0], "relatedSpdxElement": "SPDXRef-nothing"}]}
            self.assertNotEqual(self.validated(broken, folder), 0)

    def validated(self, document, folder):
        file = pathlib.Path(folder) / "image.spdx.json"
        file.write_text(json.dumps(document))
        environment = {**os.environ, "PYTHONPATH": str(spdx_validator(self.cache))}
        run = subprocess.run(["/usr/bin/python3", "-m", "spdx_tools.spdx.clitools.pyspdxtools", "--infile", file, "--version", "SPDX-2.3"],
                             env=environment, check=False, capture_output=True, text=True)
        print(run.stdout + run.stderr, end="")
        return run.returncode

    def test_the_list_names_everything(self):
        packages = self.packages()
        installed = dict(line.split("=") for line in self.said("dpkg-query", "--show", "--showformat", "${Package}=${Version}\n").split())
        self.assertIn("openmpi-bin", installed)
        self.assertEqual({name: packages[name]["versionInfo"] for name in installed}, installed)
        relations = [(each["relationshipType"], each["relatedSpdxElement"]) for each in self.spdx["relationships"]]
        self.assertIn(("STATIC_LINK", packages["nlohmann-json3-dev"]["SPDXID"]), relations)
        for wheel, kind in (("nvidia-nccl-cu13", "CONTAINS"), ("nvidia-cublas", "CONTAINS"), ("nvidia-cuda-runtime", "STATIC_LINK")):
            self.assertEqual(wheel in packages, IMAGE == "muster-gpu")
            if wheel in packages:
                self.assertIn((kind, packages[wheel]["SPDXID"]), relations)

    def test_the_list_has_the_sums_of_the_files(self):
        files = {each["fileName"]: each["checksums"] for each in self.spdx["files"]}
        self.assertIn("./usr/bin/muster", files)
        for name, sums in files.items():
            content = (self.root / name).read_bytes()
            for each in sums:
                self.assertEqual(hashlib.new(each["algorithm"].lower(), content).hexdigest(), each["checksumValue"], name)


if __name__ == "__main__":
    if os.geteuid() or not shutil.which("buildah") or not shutil.which("debootstrap"):
        print("skipped: needs root, buildah and debootstrap")
        sys.exit(77)
    unittest.main()

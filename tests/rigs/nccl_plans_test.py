# SPDX-License-Identifier: Apache-2.0
"""`muster topology lint` says of a file what NCCL itself makes of it: its own reader and its search for rings, of three versions
from PyPI, without a GPU. Its settings come from the places and by the rules that NCCL has."""
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/support"))
import nccl_alone  # noqa: E402
import nccl_nodes  # noqa: E402
from muster import BIN, SOURCE, muster  # noqa: E402

GPU, NIC, BRIDGE = (rf'(<pci busid="[^"]*" class="{code}[^>]*)' for code in ("0x0302", "0x0207", "0x0604"))
OTHER = '<pci busid="0000:f0:{}.0" class="0x010802" vendor="0x1" device="0x1" link_speed="16.0 GT/s PCIe" link_width="4"/>'


def third(pattern, to):
    """Changes what the pattern finds the third time."""
    def edit(text):
        found = list(re.finditer(pattern, text))[2]
        return text[:found.start()] + found.expand(to) + text[found.end():]
    return edit


def every(pattern, to):
    return lambda text: re.sub(pattern, to, text)


def first(old, new):
    return lambda text: text.replace(old, new, 1)


def filled(children):
    """So many children of the first socket."""
    def edit(text):
        more = children - text.split("</cpu>")[0].count("\n    <pci ")
        return text.replace("</cpu>", "".join(OTHER.format(f"{number:02x}") for number in range(more)) + "</cpu>", 1)
    return edit


def swapped(text):
    one, other = re.findall(r'affinity="([^"]*)"', text)[:2]
    return text.replace(one, "x").replace(other, one).replace('"x"', f'"{other}"')


def speed(where, value):
    return third(rf'{where} link_speed="[^"]*"', rf'\1 link_speed="{value}"')


def width(where, value):
    return third(rf'{where} link_width="[^"]*"', rf'\1 link_width="{value}"')


# NCCL reads and plans as before, and there is nothing to say.
HARMLESS = {
    "as it is": lambda text: text,
    "comments": every(r"\n", '\n<!-- a > b, "c" <pci> -->\n'),
    "a comment without words": every("</cpu>", "</cpu><!---->"),
    "single quotes": lambda text: text.replace('"', "'"),
    "two blanks": every(" class=", "  class="),
    "three blanks": every(" class=", "   class="),
    "a blank before the end": every('"/>', '" />'),
    "line ends of Windows": every("\n", "\r\n"),
    "one line": every(r"\n\s*", ""),
    "version in hexadecimal": first('version="1"', 'version="0x1"'),
    "more words behind the version": first('version="1"', 'version="1.0"'),
    "the name of a system": first("<system ", '<system name="{}" '.format("x" * 253)),
    "sixteen attributes": every(f"{GPU} link_speed", r"\1         link_speed"),
    "speed without decimals": every(r'"32.0 GT/s PCIe"', '"32 GT/s"'),
    "speed of the next PCIe": every(r'"32.0 GT/s PCIe"', '"64.0 GT/s PCIe"'),
    "more words behind the speed": speed(GPU, "32.0 GT/s PCIe "),
    "width that the kernel does not know": width(NIC, "0"),
    "width in hexadecimal": width(GPU, "0x10"),
    "128 children": filled(128),
    "masks swapped, as only the machine can tell": swapped,
}
# NCCL plans less or ends, in at least one version.
HARMFUL = {
    "a tab": first(" class=", "\tclass="),
    "a line break between attributes": first(" class=", "\n class="),
    "a blank behind =": first(" class=", " class= "),
    "a blank before =": third(f"{GPU} link_speed=", r"\1 link_speed ="),
    "a class with a blank before =": third(r'(<pci busid="[^"]*" class)="0x0302', r'\1 ="0x0302'),
    "an XML declaration": lambda text: '<?xml version="1.0"?>\n' + text,
    "a byte order mark": lambda text: "\ufeff" + text,
    "no quotes": first('numaid="0"', "numaid=0"),
    "no end": first("</system>", ""),
    "another end": first("</system>", "</machine>"),
    "text": first("</cpu>", "two</cpu>"),
    "another version": first('version="1"', 'version="2"'),
    "no version": first(' version="1"', ""),
    "a value that is too long": first("<system ", '<system name="{}" '.format("x" * 255)),
    "ten blanks, and no speed": third(f"{GPU} link_speed", r"\1           link_speed"),
    "129 children": filled(129),
    "257 elements": filled(190),
    "the narrow of two widths first": third(f'{GPU} link_width="16"', r'\1 link_width="4" link_width="16"'),
    "a busid that is another's": third(r'(<pci busid=")[^"]*(" class="0x0302)', r"\g<1>0000:11:00.0\2"),
    "no speed at a GPU": speed(GPU, ""),
    "no speed at an adapter": speed(NIC, ""),
    "no speed at all": every('"32.0 GT/s PCIe"', '""'),
    "speed without PCIe": speed(GPU, "32.0 GT/s"),
    "speed without PCIe at an adapter": speed(NIC, "32.0 GT/s"),
    "speed without PCIe everywhere": every('"32.0 GT/s PCIe"', '"32.0 GT/s"'),
    "speed of a kernel that does not know": speed(GPU, "Unknown"),
    "speed of a kernel that is old": speed(NIC, "8 GT/s"),
    "speed in other letters": speed(GPU, "32.0 GT/s pcie"),
    "slower GPU": speed(GPU, "16.0 GT/s PCIe"),
    "slower adapter": speed(NIC, "16 GT/s"),
    "GPU of width 8": width(GPU, "8"),
    "adapter of width 4": width(NIC, "4"),
    "an adapter missing": third(r'      <pci busid="[^"]*" class="0x0207(?:.|\n)*?\n      </pci>\n', ""),
    "a GPU without GPUDirect": third('(<gpu[^>]*)gdr="1"', r'\1gdr="0"'),
    "an adapter without GPUDirect": third('(<net[^>]*)gdr="1"', r'\1gdr="0"'),
    "nothing with GPUDirect": every('gdr="1"', 'gdr="0"'),
    "GPUDirect that says nothing": third('(<net[^>]*)gdr="1"', r'\1gdr=""'),
    "a GPU without NVLink": third(r"\n *<nvlink[^>]*>", ""),
    "a GPU of fewer NVLinks": third(r'(<nvlink[^>]*count=")\d+', r"\g<1>9"),
    "NVLinks to no GPU": third(r'(<nvlink[^>]*tclass=")[^"]*', r"\g<1>0x030200"),
    "NVLinks to a CPU": third(r'(<nvlink[^>]*tclass=")[^"]*', r"\g<1>0x068001"),
    "a GPU of no generation": third(r'sm="\d+"', 'sm=""'),
    "a GPU of a bridge's class": third(r'(<pci busid="[^"]*" class=")0x030200', r"\g<1>0x060400"),
    "no processor": first(' arch="x86_64"', ""),
}
# NCCL plans the same rings, and lint speaks: of what the ring does not show, or of what its author did not mean.
BESIDE = {
    "a mask that is a list": first('affinity="00000000', 'affinity="0-47'),
    "an element that NCCL does not know": first("</cpu>", '<memory size="1"/></cpu>'),
    "an attribute that NCCL does not know": first("<cpu ", '<cpu cores="48" '),
    "a width with letters": width(GPU, "x16"),
    "a bridge of one lane": width(BRIDGE, "1"),
    "a maker that NCCL does not know": every("GenuineIntel", "Intel"),
    "an id in capitals": third(r'(<pci busid="0000:)[^"]*(" class="0x0207)', r"\g<1>AB:00.0\2"),
}
SHIPPED = sorted((SOURCE / "topology").glob("*.xml"))


def completed(text, capability, nvlinks, megabits):
    """A file as NCCL has it when it has asked the driver for GPUs, and the network for adapters."""
    node = nccl_nodes.H100._replace(capability=capability, nvlinks=nvlinks, megabits=megabits)
    for code, inside in (("0x0302", node.gpu), ("0x0207", node.adapter)):
        for number, found in enumerate(re.findall(rf'<pci busid="[^"]*" class="{code}[^>]*/>', text)):
            text = text.replace(found, found[:-2] + ">" + "".join(inside(0, number)[1:]))
    return text


LIBRARIES = {}  # by version


def setUpModule():
    place = tempfile.TemporaryDirectory()
    unittest.addModuleCleanup(place.cleanup)
    LIBRARIES.update(nccl_alone.install(place.name))
    if not LIBRARIES:
        raise unittest.SkipTest(f"pip cannot get NCCL {', '.join(nccl_alone.WHEELS)} here")


class OfNccl(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = pathlib.Path(place.name)


class PlansOfNccl(OfNccl):
    def planned(self, texts):
        """{name: (file, {version: answer})} of these texts by name."""
        files = {name: self.folder / f"{number}.xml" for number, name in enumerate(texts)}
        for name, file in files.items():
            file.write_text(texts[name], newline="")
        ask = lambda library: nccl_alone.ask(library, "plans", list(map(str, files.values())), NCCL_IGNORE_DISABLED_P2P="2")
        with concurrent.futures.ThreadPoolExecutor(len(LIBRARIES)) as pool:
            answers = dict(zip(LIBRARIES, pool.map(ask, LIBRARIES.values())))
        return {name: (files[name], {version: given[number] for version, given in answers.items()}) for number, name in enumerate(files)}

    def rate(self, answer):
        """GB/s of all channels; 0 where NCCL ends."""
        channels, each = answer.get("plan", (0, 0))
        return channels * each

    def said(self, file):
        """What lint says of a file, without its remedies."""
        run = muster("topology", "lint", file, folder=self.folder)
        return [line for line in run.stdout.splitlines() if re.search(r"\[topology_\w+\]$", line)] + run.stderr.splitlines()

    def test_lint_speaks_where_nccl_plans_less_and_is_silent_elsewhere(self):
        healthy = nccl_nodes.H100.text()
        rows = HARMLESS | HARMFUL | BESIDE
        planned = self.planned({name: edit(healthy) for name, edit in rows.items()})
        _, usual = planned["as it is"]
        self.assertEqual([answer["plan"] for answer in usual.values()], [[8, 48.0]] * len(usual))
        for name, (file, answers) in planned.items():
            with self.subTest(name):
                self.assertEqual(name == "as it is", file.read_bytes() == healthy.encode(), "the edit must change the file")
                is_worse = any(self.rate(answers[version]) < self.rate(usual[version]) for version in usual)
                told = {version: {key: answer[key] for key in answer if key != "read_as"} for version, answer in answers.items()}
                self.assertEqual(is_worse, name in HARMFUL, told)
                self.assertEqual(bool(self.said(file)), name not in HARMLESS, (told, self.said(file)))

    def test_what_nccl_reads_is_what_muster_reads(self):
        """By the devices that both count in it."""
        planned = self.planned({name: edit(nccl_nodes.A100.text()) for name, edit in HARMLESS.items() if name != "128 children"})
        for name, (file, answers) in planned.items():
            shown = json.loads(muster("topology", "show", file, "--format", "json", folder=self.folder).stdout)
            addresses = sorted(re.findall(r'"busid": *"([^"]*)"', json.dumps(shown)))
            for version, answer in answers.items():
                with self.subTest((name, version)):
                    self.assertEqual(sorted(re.findall(r'busid="([^"]*)"', answer["read_as"])), addresses)

    def test_the_shipped_files_are_read_and_planned_whole(self):
        texts = {"ndv5-topo.xml": (90, 18, 400000), "ndv4-topo.xml": (80, 12, 200000)}
        self.assertEqual(sorted(texts), [file.name for file in SHIPPED])
        for name, (file, answers) in self.planned({file.name: completed(file.read_text(), *texts[file.name]) for file in SHIPPED}).items():
            for version, answer in answers.items():
                with self.subTest((name, version)):
                    self.assertEqual(answer.get("plan"), [8, 48.0] if name.startswith("ndv5") else [8, 24.0])
            self.assertEqual(self.said(file), [])
            self.assertEqual(self.said(SOURCE / "topology" / name), [])


# Lines of the file that NCCL_CONF_FILE names, the home file and etc/nccl.conf, and NCCL_TOPO_FILE; "{}" is a file that is there.
SETTINGS = {
    "nothing": ([], [], [], None),
    "of the machine": ([], [], ["NCCL_TOPO_FILE={}"], None),
    "of the home": ([], ["NCCL_TOPO_FILE={}"], ["NCCL_TOPO_FILE=/machine.xml"], None),
    "named": (["NCCL_TOPO_FILE={}"], ["NCCL_TOPO_FILE=/home.xml"], ["NCCL_TOPO_FILE=/machine.xml"], None),
    "named without it": (["NCCL_DEBUG=WARN"], ["NCCL_TOPO_FILE=/home.xml"], ["NCCL_TOPO_FILE={}"], None),
    "variable": ([], ["NCCL_TOPO_FILE=/home.xml"], ["NCCL_TOPO_FILE=/machine.xml"], "{}"),
    "the first of two": ([], [], ["NCCL_TOPO_FILE={}", "NCCL_TOPO_FILE=/other.xml"], None),
    "blanks around =": ([], [], ["NCCL_TOPO_FILE = {}"], None),
    "a blank in front": ([], [], [" NCCL_TOPO_FILE={}"], None),
    "a tab in front": ([], [], ["\tNCCL_TOPO_FILE={}"], None),
    "export": ([], [], ["export NCCL_TOPO_FILE={}"], None),
    "a remark in front": ([], [], ["#NCCL_TOPO_FILE={}"], None),
    "a blank behind": ([], [], ["NCCL_TOPO_FILE={} "], None),
    "quotes": ([], [], ['NCCL_TOPO_FILE="{}"'], None),
    "a relative path": ([], [], ["NCCL_TOPO_FILE=topo.xml"], None),
    "a remark behind": ([], [], ["NCCL_TOPO_FILE={} # NDv5"], None),
    "= in the value": ([], [], ["NCCL_TOPO_FILE={}=b"], None),
    "a carriage return": ([], [], ["NCCL_TOPO_FILE={}\r"], None),
    "small letters": ([], [], ["nccl_topo_file={}"], None),
    "an ineffective line first": ([], [], ["NCCL_TOPO_FILE = /other.xml", "NCCL_TOPO_FILE={}"], None),
}
KEEPS_CARRIAGE_RETURNS = "2.28"
IN_PLACE = 'mount --bind "$0" /etc; exec "$@"'  # for one program alone


@unittest.skipUnless(os.geteuid() == 0, "mounting needs root")
class SettingsOfNccl(OfNccl):
    def write(self, file, lines, topology):
        if lines:
            file.write_text("".join(line.format(topology) + "\n" for line in lines))

    def machine(self, settings):
        """What starts a program on a machine of these settings, and its environment."""
        place = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        topology = place / "topo.xml"
        topology.write_text(nccl_nodes.H100.text())
        named, home, machine, variable = settings
        (place / "etc").mkdir()
        for name in ("ld.so.cache", "nsswitch.conf"):
            if pathlib.Path("/etc", name).exists():
                (place / "etc" / name).write_bytes(pathlib.Path("/etc", name).read_bytes())
        (place / "etc/passwd").write_text(f"root:x:0:0:root:{place}:/bin/sh\n")  # the home of NCCL up to 2.29
        self.write(place / "etc/nccl.conf", machine, topology)
        self.write(place / ".nccl.conf", home, topology)
        self.write(place / "named.conf", named, topology)
        environment = {"HOME": str(place)}
        if named:
            environment["NCCL_CONF_FILE"] = str(place / "named.conf")
        if variable:
            environment["NCCL_TOPO_FILE"] = variable.format(topology)
        return ["unshare", "--mount", "sh", "-ec", IN_PLACE, str(place / "etc")], environment

    def by_muster(self, prefix, environment):
        kept = {name: value for name, value in os.environ.items() if not name.startswith("NCCL_")}
        report = pathlib.Path(tempfile.mkdtemp(dir=self.folder)) / "report.json"
        subprocess.run([*prefix, BIN / "muster-topology", "--report", report, "--quiet"], cwd=self.folder, check=False, env=kept | environment,
                       capture_output=True, text=True, timeout=60)
        facts = json.loads(report.read_text())["checks"][0]["measurements"]
        return next((fact["value"] for fact in facts if fact["metric"] == "topology.file"), None)

    def test_muster_takes_the_topology_file_that_nccl_takes(self):
        for name, settings in SETTINGS.items():
            prefix, environment = self.machine(settings)
            here = self.by_muster(prefix, environment)
            for version, library in LIBRARIES.items():
                with self.subTest((name, version)):
                    told, = nccl_alone.ask(library, "settings", ["NCCL_TOPO_FILE"], prefix=prefix, **environment)
                    keeps = told and version.startswith(KEEPS_CARRIAGE_RETURNS)  # of which muster warns
                    self.assertEqual(here, told.removesuffix("\r") if keeps else told)


if __name__ == "__main__":
    unittest.main()

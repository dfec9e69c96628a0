# SPDX-License-Identifier: Apache-2.0
"""NCCL's own reader of topology files, its search for rings and its settings, without a GPU: functions inside the library of a
wheel, called where its table of symbols says that they are. As a program it answers for one library in a process of its own."""
import contextlib
import ctypes
import json
import os
import pathlib
import signal
import struct
import subprocess
import sys
import tempfile

# PyPI's project for each version; the layout of the graph's head is the same in all of them.
WHEELS = {version: "nvidia-nccl-cu13" for version in ("2.28.9", "2.30.7", "2.32.3")}
MAX_ELEMENTS = 256  # NCCL_TOPO_XML_MAX_NODES, src/graph/topo.h
XML_BYTES = 8 << 20  # for 256 elements of 17 attributes and 640 children
GRAPH_BYTES = 2 << 20  # 64 channels of 640 GPUs
TAIL_BYTES = 16 << 10  # of the system, in which the two rates stand that its search begins with
RING = 4  # NCCL_TOPO_PATTERN_RING, src/include/graph.h
MOST_CHANNELS = 16
SECONDS = 60


def install(folder):
    """{version: library} where pip can bring all of them; else nothing."""
    for version, project in WHEELS.items():
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--ignore-installed", "--root-user-action", "ignore",
                   "--target", pathlib.Path(folder, version), f"{project}=={version}"]
        with contextlib.suppress(subprocess.TimeoutExpired):
            subprocess.run(command, capture_output=True, check=False, timeout=120)
    found = {version: pathlib.Path(folder, version, "nvidia/nccl/lib/libnccl.so.2") for version in WHEELS}
    return found if all(library.exists() for library in found.values()) else {}


def ask(library, question, *arguments, prefix=(), **environment):
    """What the library answers to a function of this file, by its name."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("NCCL_")}
    run = subprocess.run([*prefix, sys.executable, "-B", __file__, library, question, json.dumps(arguments)], env=kept | environment,
                         capture_output=True, text=True, check=True, timeout=600)
    return json.loads(run.stdout.splitlines()[-1])


def functions_in(library):
    """{name: offset} of all functions, local ones too."""
    data = pathlib.Path(library).read_bytes()
    at, = struct.unpack_from("<Q", data, 0x28)
    size, count = struct.unpack_from("<HH", data, 0x3a)
    sections = [struct.unpack_from("<IIQQQQII", data, at + index * size) for index in range(count)]
    found = {}
    for _, kind, _, _, start, length, link, _ in sections:
        for symbol in range(start, start + length, 24) if kind == 2 else ():  # SHT_SYMTAB
            name, info, _, _, value, _ = struct.unpack_from("<IBBHQQ", data, symbol)
            if info & 15 == 2:  # STT_FUNC
                text = sections[link][4] + name
                found[data[text:data.index(b"\0", text)].decode()] = value
    return found


class Library:
    def __init__(self, path):
        self.offsets = functions_in(path)
        self.library = ctypes.CDLL(path)
        public = ctypes.cast(self.library.ncclGetVersion, ctypes.c_void_p).value
        self.base = public - self.offsets["ncclGetVersion"]

    def call(self, name, *arguments, returns=ctypes.c_int):
        """A function of C++ that is not overloaded."""
        mangled, = (one for one in self.offsets if one.startswith(f"_Z{len(name)}{name}") and "." not in one)
        return ctypes.CFUNCTYPE(returns, *map(type, arguments))(self.base + self.offsets[mangled])(*arguments)


def pointer(buffer):
    return ctypes.cast(buffer, ctypes.c_void_p)


def read_file(nccl, file, dump):
    """The code of NCCL's reader, and its memory of the file, which it also writes out."""
    xml = ctypes.create_string_buffer(XML_BYTES)
    struct.pack_into("ii", xml, 0, 0, MAX_ELEMENTS)
    code = nccl.call("ncclTopoGetXmlFromFile", ctypes.c_char_p(str(file).encode()), pointer(xml), ctypes.c_int(1))
    if code == 0:
        nccl.call("ncclTopoDumpXmlToFile", ctypes.c_char_p(str(dump).encode()), pointer(xml))
    return code, xml


class System:
    """NCCL's model of a machine, ready for its search."""

    def __init__(self, nccl, xml):
        self.nccl, self.at = nccl, ctypes.c_void_p()
        self.code = (nccl.call("ncclTopoGetSystemFromXml", pointer(xml), ctypes.cast(ctypes.byref(self.at), ctypes.c_void_p), ctypes.c_uint64(0))
                     or nccl.call("ncclTopoComputePaths", self.at, ctypes.c_void_p()))

    def tail(self):
        size = ctypes.CDLL(None).malloc_usable_size
        size.restype = ctypes.c_size_t
        start = self.at.value + size(self.at) - TAIL_BYTES
        return start, ctypes.string_at(start, TAIL_BYTES)

    def plan(self):
        """Channels and GB/s of each in the ring of several nodes."""
        start, before = self.tail()
        self.nccl.call("ncclTopoSearchInit", self.at)
        _, after = self.tail()
        rates = next(at for at in range(0, TAIL_BYTES, 4) if before[at:at + 4] != after[at:at + 4])
        ctypes.c_int.from_address(start + rates + 8).value = 1  # ncclTopoSystem.inter, behind maxBw and totalBw
        self.nccl.call("ncclTopoSearchInit", self.at)
        graph = ctypes.create_string_buffer(GRAPH_BYTES)
        struct.pack_into("6i", graph, 0, 0, RING, 0, 0, 1, MOST_CHANNELS)
        code = self.nccl.call("ncclTopoCompute", self.at, pointer(graph))
        channels, intra, inter = struct.unpack_from("iff", graph, 24)
        return [channels, min(intra, inter)] if code == 0 else [0, 0.0]


def plan_file(nccl, file):
    """Codes of the reader and of the model, the file as NCCL read it, and what it plans."""
    with tempfile.NamedTemporaryFile() as dump:
        read, xml = read_file(nccl, file, dump.name)
        answer = {"read": read, "read_as": pathlib.Path(dump.name).read_text(errors="replace")}
    if read == 0:
        system = System(nccl, xml)
        answer["model"] = system.code
        if system.code == 0:
            answer["plan"] = system.plan()
    return answer


def apart(answer):
    """What a function answers in a process of its own, or the signal that ended it."""
    with tempfile.NamedTemporaryFile("r") as file:
        process = os.fork()
        if process == 0:
            signal.alarm(SECONDS)
            pathlib.Path(file.name).write_text(json.dumps(answer()))
            os._exit(0)
        _, status = os.waitpid(process, 0)
        return json.loads(file.read()) if status == 0 else {"ended": status}


def plans(nccl, files):
    return [apart(lambda file=file: plan_file(nccl, file)) for file in files]


def settings(nccl, names):
    """What NCCL takes its variables to be, from its files and the environment."""
    nccl.call("initEnv")
    found = [nccl.call("ncclGetEnv", ctypes.c_char_p(name.encode()), returns=ctypes.c_char_p) for name in names]
    return [value if value is None else value.decode(errors="surrogateescape") for value in found]


if __name__ == "__main__":
    print()
    print(json.dumps(globals()[sys.argv[2]](Library(sys.argv[1]), *json.loads(sys.argv[3]))))

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The style test refuses what it must, by file and line, and nothing else."""

import json
import tempfile
import unittest
from pathlib import Path

import style

SPDX = "// SPDX-License-Identifier: Apache-2.0\n"

# file, text after the SPDX line, line that is refused, words of the refusal
BAD = [
    ("results/values/a.cpp", "#define FAST 1\n", 2, "preprocessor"),
    ("results/values/a.cpp", "int a;\n  #if 1\n", 3, "preprocessor"),
    ("benchmarks/cuda/a.cu", "#ifdef __CUDACC__\n", 2, "preprocessor"),
    ("benchmarks/cuda/a.cuh", "#ifdef __CUDACC__\n", 2, "preprocessor"),
    ("healthcheck/run/a.cpp", 'auto a = open("/proc/stat");\n', 2, "system path"),
    ("benchmarks/a.cpp", 'auto a = "in /sys/class/net";\n', 2, "system path"),
    ("benchmarks/a.cpp", '// why\nauto a = R"(\n/etc/passwd)";\n', 3, "system path"),
    ("topology/devices/other.cpp", 'auto a = "/dev/kmsg";\n', 2, "system path"),
    ("topology/devices/hyperv.cpp", 'auto a = "/var/lib/hyperv/pool";\n', 2, "system path"),
    ("results/values/a.cpp", '#include "topology/kernel/sysfs.hpp"\n', 2, "may not see"),
    ("topology/devices/a.cpp", '#include "benchmarks/ranks/ranks.hpp"\n', 2, "may not see"),
    ("topology/devices/a.cpp", '#include "results/values/report.hpp"\n', 2, "files and strings"),
    ("benchmarks/a.cpp", '#include "healthcheck/check/check.hpp"\n', 2, "may not see"),
    ("topology/devices/a.cpp", '#include "topology/machine/machine.hpp"\n', 2, "may not see"),
    ("results/words/a.cpp", "", 1, "no room results/words"),
    ("healthcheck/a.cpp", "", 1, "at the top of healthcheck"),
    ("healthcheck/judge/a.cpp", '#include "benchmarks/ranks/ranks.hpp"\n', 2, "the judge sees"),
    ("healthcheck/checks/host/limits.hpp", '#include "healthcheck/judge/judge.hpp"\n', 2, "a check sees"),
    ("results/values/a.cpp", "namespace a {\n\nvoid f(int b) {\n" + "  f(b);\n" * 39 + "}\n}\n", 4, "41 lines"),
    ("results/values/a.cpp", "namespace a {\nF::F()\n    : b_{1} {\n" + "  f();\n" * 39 + "}\n}\n", 3, "42 lines"),
    ("results/values/a.cpp", "namespace a {\nstruct B {};\nnamespace {\nenum class B { c };\n}\n}\n", 5, "a::B is also a type"),
    ("healthcheck/run/a.cpp", '#include "tests/support/files.hpp"\n', 2, "healthcheck may not include tests"),
    ("results/values/a.cpp", '#include "file.hpp"\n', 2, "results may not include file.hpp"),
    ("results/values/a.cpp", '#include "results/values/b.cpp"\n', 2, "a source is included"),
    ("healthcheck/run/a.cpp", "#include <nlohmann/json.hpp>\n", 2, "nlohmann"),
    ("healthcheck/run/a.hpp", "#include <CLI/CLI.hpp>\n", 2, "CLI11"),
    ("results/render/text.cpp", '#include <string>\n#include "results/render/text.hpp"\n', 2, "first include"),
    ("results/render/text.cpp", "int a;\n", 1, "first include"),
    ("results/values/a.cpp", "int* a = new int;\n", 2, "new"),
    ("benchmarks/cuda/a.cu", "int a = std::countl_zero(7U);\n", 2, "device"),
    ("results/values/a.cpp", "std::shared_ptr<int> a;\n", 2, "shared_ptr"),
    ("results/values/a.cpp", "auto a = std::make_shared<int>();\n", 2, "shared_ptr"),
    ("results/values/a.cpp", "int f() {\n  static int calls = 0;\n}\n", 3, "mutable static"),
    ("results/values/a.cpp", "static std::string last;\n", 2, "mutable static"),
    ("results/values/a.cpp", "thread_local int depth{};\n", 2, "mutable static"),
    ("results/values/a.cpp", "\n" * 300, 301, "301 lines"),
    ("tests/a.py", "\n" * 300, 301, "301 lines"),
    ("healthcheck/checks/host/fan.cpp", "", 1, "generic.json"),
    ("healthcheck/checks/host/limits.cpp", "", 1, "limits_test.cpp"),
]

GOOD = [
    ("benchmarks/a.hpp", "int a = std::bit_width(7U);\n"),
    ("results/values/a.cpp", '#include "results/system/file.hpp"\n#include <string>\n'),
    ("results/render/text.cpp", '#include "results/render/text.hpp"\n\n#include <string>\n'),
    ("results/values/a.cpp", '// new; "/proc" and #if are words of a comment\n/* shared_ptr\n   static int a; */\n'),
    ("results/values/a.cpp", 'auto a = "a new shared_ptr, static int b;";\n'),
    ("results/values/a.cpp", "static constexpr int a = 1;\nstatic const int b{2};\n"),
    ("results/values/a.cpp", "static void add(Context& context) {\nauto a = static_cast<int>(b);\n"),
    ("results/values/a.cpp", "auto a = '\"';\nauto b = 1'000'000;\n"),
    ("topology/kernel/sysfs.cpp", 'auto a = "/proc";\n'),
    ("topology/devices/a.cpp", 'auto a = sysfs.text("proc/sys/kernel/hostname");\n#include "results/system/file.hpp"\n'),
    ("tests/a.cpp", 'auto a = "/proc/self/mem";\n#include "healthcheck/judge/judge.hpp"\n'),
    ("healthcheck/check/checks_json.cpp", "#include <nlohmann/json.hpp>\n"),
    ("healthcheck/run/a.cpp", "#include <CLI/CLI.hpp>\n"),
    ("results/values/a.cpp", "\n" * 299),
    ("results/values/a.cpp", "namespace a {\nvoid f() {\n" + "  f();\n" * 38 + "}\n}\n"),
    ("results/values/a.cpp", "namespace a {\nstruct B;\nstruct B { struct C {}; };\nstruct D { struct C {}; };\nnamespace e {\nstruct B {};\n}\n}\n"),
]


# The rooms of the small repository, in their line.
ROOMS = [
    *("results/system", "results/strings", "results/values", "results/render"),
    *("topology/kernel", "topology/devices", "topology/machine"),
    *("benchmarks", "benchmarks/ranks", "benchmarks/cuda"),
    *("healthcheck/judge", "healthcheck/check", "healthcheck/checks/host", "healthcheck/run"),
]


class Style(unittest.TestCase):
    def found(self, file, text, others=None):
        """Every problem of a small repository that has this file, and others, too."""
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            profile = {"expectations": [{"check": "limits"}]}
            files = {
                "CMakeLists.txt": "",
                "DESIGN.md": "".join(f"| `{room}` | its subject |\n" for room in ROOMS),
                "muster": "#!/bin/bash\n" + SPDX,
                ".ci/run": "#!/bin/bash\n" + SPDX,
                "results/render/text.hpp": SPDX + "#pragma once\n",
                "healthcheck/profiles/generic.json": json.dumps(profile),
                file: text,
            } | (others or {})
            for name, content in files.items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(content)
            return list(style.problems(root))

    def test_refuses_each_bad_file_at_its_line(self):
        for file, text, line, words in BAD:
            with self.subTest(file=file, text=text[:60]):
                found = self.found(file, SPDX + text)
                self.assertEqual({(file, line)}, {problem[:2] for problem in found})
                self.assertIn(words, " ".join(problem.text for problem in found))

    def test_accepts_good_files(self):
        for file, text in GOOD:
            with self.subTest(file=file, text=text[:60]):
                self.assertEqual([], self.found(file, SPDX + text))

    def test_refuses_counted_bits_in_what_a_device_may_call(self):
        counted = SPDX + "int a = std::bit_width(7U);\n"
        kernel = {"benchmarks/cuda/a.cu": SPDX + '#include "benchmarks/b.hpp"\n', "benchmarks/b.hpp": SPDX + '#include "benchmarks/c.hpp"\n'}
        found = self.found("benchmarks/c.hpp", counted, kernel)
        self.assertEqual([("benchmarks/c.hpp", 2)], [problem[:2] for problem in found])

    def test_refuses_a_ring_of_rooms(self):
        to_strings = SPDX + '#include "results/strings/b.hpp"\n'
        back = {"results/strings/b.hpp": SPDX + '#include "results/system/a.hpp"\n'}
        found = self.found("results/system/a.hpp", to_strings, back)
        self.assertEqual(2, sum("in a ring" in problem.text for problem in found))

    def test_refuses_a_room_that_is_too_large(self):
        for file in ({f"results/values/a{number}.hpp": SPDX for number in range(31)}, {f"results/values/a{number}.hpp": SPDX + "\n" * 290 for number in range(11)}):
            found = self.found("results/values/b.hpp", SPDX, file)
            self.assertEqual(1, sum("at most 30 and 3000" in problem.text for problem in found))

    def test_refuses_a_file_without_its_license(self):
        for file in ("results/values/a.cpp", "results/values/a.hpp", "benchmarks/cuda/a.cu", "tests/rig.sh", "muster"):
            with self.subTest(file=file):
                found = self.found(file, "\n\n" + SPDX)
                self.assertEqual([(file, 1)], [problem[:2] for problem in found])

    def test_refuses_a_long_table_of_contents(self):
        self.assertEqual([("CMakeLists.txt", 101)], [p[:2] for p in self.found("CMakeLists.txt", "\n" * 101)])


if __name__ == "__main__":
    unittest.main()

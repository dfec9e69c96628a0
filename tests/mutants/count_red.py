# SPDX-License-Identifier: Apache-2.0
"""Runs tables of faults that are linked with a judge that always passes: count_red.py PROGRAM...

Succeeds when at least 90 % of all rows are red, and no table has fewer than 3 rows.
"""
import concurrent.futures
import json
import subprocess
import sys
import tempfile


AT_ONCE = 2  # as many cores as ctest keeps for it


def rows(program):
    """The name of every row of one table and whether it was red."""
    with tempfile.NamedTemporaryFile(suffix=".json") as output:
        subprocess.run([program, "--gtest_filter=*Faults*", f"--gtest_output=json:{output.name}"],
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        suites = json.load(output)["testsuites"]
    return [(f"{suite['name']}.{test['name']}", "failures" in test) for suite in suites for test in suite["testsuite"]]


def main():
    total = red = 0
    short = []
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        for program, found in zip(sys.argv[1:], pool.map(rows, sys.argv[1:])):
            if len(found) < 3:
                short.append(program)
            for name, is_red in found:
                print(f"{'red  ' if is_red else 'GREEN'} {name}")
                total += 1
                red += is_red
    print(f"{red} of {total} rows of the tables of faults are red under a judge that always passes")
    for program in short:
        print(f"fewer than 3 rows: {program}")
    return 0 if total and not short and red >= 0.9 * total else 1


sys.exit(main())

# SPDX-License-Identifier: Apache-2.0
"""Test cases that mostly wait, side by side: those of a file in processes of their own, and the kinds of one case in threads."""
import concurrent.futures
import contextlib
import os
import pickle
import sys
import tempfile
import time
import unittest


def alone(method):
    """Marks a test case that runs when all others of its class are over."""
    method.runs_alone = True
    return method


def each(test, check, kinds):
    """Checks all these kinds at once, each as a subtest; a kind that is a tuple is several arguments."""
    kinds = [kind if isinstance(kind, tuple) else (kind,) for kind in kinds]
    with concurrent.futures.ThreadPoolExecutor(len(kinds)) as pool:
        for kind, checked in [(kind, pool.submit(check, *kind)) for kind in kinds]:
            with test.subTest(kind):
                checked.result()


class Case:
    """A test case in a process of its own."""

    def __init__(self, test):
        self.test, self.start = test, time.monotonic()
        self.found = tempfile.TemporaryFile()
        sys.stdout.flush()
        sys.stderr.flush()
        self.process = os.fork()
        if self.process == 0:
            try:
                pickle.dump(outcome(test), self.found)
                self.found.flush()
            finally:
                os._exit(0)

    def ended(self, status):
        """What is wrong and why it was skipped, as texts."""
        self.found.seek(0)
        with self.found, contextlib.suppress(EOFError):
            return pickle.load(self.found)
        return [f"{self.test}\nits process ended with status {status}"], []


def outcome(test):
    kind = type(test)
    kind.of_the_parent, kind._class_cleanups = kind._class_cleanups, []  # kept, or their folders would vanish now
    result = unittest.TestResult()
    test.run(result)
    kind.doClassCleanups()
    left = [f"{test}\n{error[1]!r}" for error in kind.tearDown_exceptions]
    wrong = result.failures + result.errors + [(each, "an unexpected success") for each in result.unexpectedSuccesses]
    return [f"{each}\n{text}" for each, text in wrong] + left, [f"{each}: {reason}" for each, reason in result.skipped]


def of_classes(suite):
    """{class: its test cases}"""
    found = {}
    for test in suite:
        more = of_classes(test) if isinstance(test, unittest.TestSuite) else {type(test): [test]}
        for kind, tests in more.items():
            found.setdefault(kind, []).extend(tests)
    return found


def run_together(tests, at_once):
    """What is wrong and why tests were skipped, when so many at once have all ended."""
    waiting, running, wrong, skipped = list(tests), {}, [], []
    while waiting or running:
        while waiting and len(running) < at_once:
            case = Case(waiting.pop(0))
            running[case.process] = case
        process, status = os.wait()
        if process not in running:
            continue
        case = running.pop(process)
        print(f"{time.monotonic() - case.start:6.1f} s  {type(case.test).__name__}.{case.test._testMethodName}", file=sys.stderr)
        more = case.ended(status)
        wrong += more[0]
        skipped += more[1]
    return wrong, skipped


def run_class(kind, tests, at_once):
    is_skipped = getattr(kind, "__unittest_skip__", False)
    if not is_skipped:
        kind.setUpClass()
    try:
        apart = [test for test in tests if hasattr(getattr(test, test._testMethodName), "runs_alone")]
        together = [test for test in tests if test not in apart]
        found = [run_together(together, at_once), run_together(apart, 1)]
        return [text for wrong, _ in found for text in wrong], [text for _, skipped in found for text in skipped]
    finally:
        if not is_skipped:
            kind.tearDownClass()
        kind.doClassCleanups()


def main(at_once=16):
    """As unittest.main, with names of classes or test cases as arguments."""
    loader = unittest.TestLoader()
    module = sys.modules["__main__"]
    suite = loader.loadTestsFromNames(sys.argv[1:], module) if sys.argv[1:] else loader.loadTestsFromModule(module)
    start, count, wrong, skipped = time.monotonic(), 0, [], []
    for kind, tests in of_classes(suite).items():
        more = run_class(kind, tests, at_once)
        count += len(tests)
        wrong += more[0]
        skipped += more[1]
    for text in [*(f"skipped {each}" for each in skipped), *wrong]:
        print("=" * 70, text, sep="\n", file=sys.stderr)
    print(f"Ran {count} tests in {time.monotonic() - start:.1f} s: {len(wrong)} wrong, {len(skipped)} skipped", file=sys.stderr)
    sys.exit(1 if wrong or not count else 0)

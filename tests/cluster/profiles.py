# SPDX-License-Identifier: Apache-2.0
"""Profiles, as JSON, that a pod here meets or does not."""
import json


def expectation(metric, unit, least, fault, fails_below=None):
    """That a check reaches at least so much of a metric."""
    return {"check": metric.partition(".")[0], "metric": metric, "bound": "at_least", "unit": unit, "pass": least,
            "fail": least if fails_below is None else fails_below, "tier": "preflight", "fault": fault, "source": "this test",
            "date": "2026-11-26"}


def open_files(least):
    """That a process may have so many open files."""
    return json.dumps({"name": "own", "description": "What this test demands", "expectations": [
        expectation("limits.open_files", "1", least, "open_files_too_low")]})


def locked_memory():
    """As the profiles of machines with RDMA have it of a job, but for what a user may lock here."""
    return json.dumps({"name": "locking", "extends": "generic", "description": "A job that locks memory", "expectations": [
        expectation("host_allreduce.locked_memory", "B", 4 << 20, "memlock_too_low", fails_below=1 << 20) | {"tier": "quick"}]})

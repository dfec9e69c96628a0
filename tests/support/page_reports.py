# SPDX-License-Identifier: Apache-2.0
"""Reports that fill a page: a node with curves, times, incidents and a port that is down; a job with a matrix of pairs; what an
attacker would write. They are made of what the schemas say, not of the product's code."""

import copy
import random

GB = 1e9
HOSTILE = (
    "<script>window.hacked=1</script>",
    '"><img src=x onerror="window.hacked=1">',
    "' onmouseover='window.hacked=1",
    "</style><script>1",
    "</script><script>window.hacked=1</script>",
    *("<!--", "]]>", "&lt;&#0;", "\x00\x01\x1b[2J\x7f\x85", "\u202egnp.exe\u2066", "\ufffe\uffff\ufdd0"),
    *("javascript:window.hacked=1", "\u2028\u2029", "=1+1", "a" * 65536, "<b>" * 20000, "\U0001fffe\U0010ffff"),
    *("%s%n{}{0}", "\\u003cscript>"),
)


def sampled(metric, value, unit, labels, spread=0.01, count=50, **more):
    summary = {
        "n": count,
        "minimum": value * (1 - 3 * spread),
        "median": value,
        "p95": value * (1 + 2 * spread),
        "p99": value * (1 + 4 * spread),
        "maximum": value * (1 + 9 * spread),
        "spread": spread,
        "median_interval": {"low": value * 0.998, "high": value * 1.002},
    }
    return {"metric": metric, "value": {"value": value, "unit": unit}, "labels": labels, "summary": summary, **more}


def verdict(status, metric, labels, expected, reason, value=None, fault="", action=""):
    found = {} if value is None else {"value": value}
    return {
        "status": status,
        "metric": metric,
        "labels": labels,
        **found,
        "expected": expected,
        "source": "measured (2026-11-30)",
        "reason": reason,
        "fault": fault,
        "action": action,
        "azure_code": "",
        "azure_category": "",
    }


def run(check, host, measurements, verdicts, **more):
    order = ("skip", "pass", "warn", "unknown", "fail")
    status = max((each["status"] for each in verdicts), key=order.index, default="skip")
    return {
        "check": check,
        "host": host,
        "component": {},
        "attempt": 1,
        "status": status,
        "outcome": "finished",
        "reason": "",
        "phase": "",
        "information": "",
        "started": "2026-11-30T02:15:09.000Z",
        "duration_seconds": 12.5,
        "verdicts": verdicts,
        "measurements": measurements,
        "evidence": [],
        **more,
    }


def curve_of(host):
    """The bus bandwidth of a node from 8 B to 8 GiB, in place and out of place."""
    facts, verdicts = [], []
    sizes = [(f"{2 ** (power % 10)} {('B', 'KiB', 'MiB', 'GiB')[power // 10]}", 2**power) for power in range(3, 34, 2)]
    for placement, factor in (("in-place", 1), ("out-of-place", 0.93)):
        for name, size in sizes:
            rate = factor * 478 * GB * size / (size + 24e6)
            labels = {"operation": "allreduce", "placement": placement, "reduce": "sum", "size": name, "type": "float"}
            facts += [
                sampled("allreduce.bus_bandwidth", rate, "B/s", labels),
                sampled("allreduce.time", 1.75 * size / rate, "s", labels, 0.04),
            ]
            if size >= 2**29:
                status = "pass" if rate >= 440 * GB else "warn"
                verdicts.append(
                    verdict(
                        status,
                        "allreduce.bus_bandwidth",
                        {**labels, "host": host},
                        "at least 440 GB/s (fails below 400 GB/s)",
                        f"{rate / GB:.0f} GB/s is {'at least' if status == 'pass' else 'below'} 440 GB/s",
                        facts[-2]["value"],
                        *(("", "") if status == "pass" else ("allreduce_slow", "Run it again alone.")),
                    )
                )
    return run("allreduce", host, facts, verdicts)


def log_of(host):
    facts, verdicts = [{"metric": "kernel_log.messages", "value": {"value": 5120.0, "unit": "1"}, "labels": {}}], []
    for code, labels, began, count, still_open, status, last in (
        (
            "gpu_xid",
            {"gpu": "3", "pci": "0004:00:00.0", "xid": "79"},
            "2026-11-29T21:10:44Z",
            3,
            1,
            "fail",
            "GPU has fallen off the bus: NVRM: Xid (PCI:0004:00:00): 79",
        ),
        (
            "ib_link_down",
            {"nic": "mlx5_ib5", "port": "1"},
            "2026-11-29T23:31:02Z",
            12,
            1,
            "fail",
            "a link went down: mlx5_ib5: Port 1 Link DOWN",
        ),
        (
            "pcie_correctable",
            {"pci": "0106:00:00.0"},
            "2026-11-29T14:02:00Z",
            40,
            0,
            "pass",
            "corrected: AER: Correctable error received",
        ),
        (
            "out_of_memory",
            {"process": "python3"},
            "2026-11-29T18:44:31Z",
            1,
            0,
            "warn",
            "a process was killed: Out of memory: Killed process",
        ),
    ):
        labels = {"code": code, **labels}
        facts += [
            {
                "metric": f"kernel_log.{name}",
                "value": value if isinstance(value, str) else {"value": float(value), "unit": "1"},
                "labels": labels,
            }
            for name, value in (("count", count), ("incidents", still_open), ("began", began), ("last", last))
        ]
        if status != "pass":
            verdicts.append(
                verdict(
                    status,
                    "kernel_log.incidents",
                    {**labels, "host": host},
                    "at most 0",
                    f"{last}; began {began}",
                    {"value": float(still_open), "unit": "1"},
                    code,
                    "Drain the node, and reset the device.",
                )
            )
    return run("kernel_log", host, facts, verdicts)


def finished(report):
    order = ("skip", "pass", "warn", "unknown", "fail")
    report["status"] = max((each["status"] for each in report["checks"]), key=order.index)
    bad = [each["check"] for each in report["checks"] if each["status"] == "fail"]
    report["summary"] = f"{len(bad)} of {len(report['checks'])} checks failed" if bad else "every check passed"
    return report


def rich(captured):
    """A node of eight GPUs: what `muster node --root` found in a captured tree, and what only a real one can measure."""
    report = copy.deepcopy(captured)
    host = report["hosts"][0]["name"]
    report["started"] = "2026-11-30T02:15:02.500Z"
    report["checks"] = [each for each in report["checks"] if each["outcome"] == "finished" and each["check"] != "kernel_log"]
    for each in report["checks"]:
        if each["check"] != "ib_link":
            continue
        for found in each["verdicts"]:
            if found["metric"] == "ib_link.state" and found["labels"].get("nic") == "mlx5_ib5":
                found.update(
                    status="fail",
                    value="DOWN",
                    reason="the link is DOWN",
                    fault="ib_port_down",
                    action="Reseat or replace the cable of this port, then check the switch port.",
                )
                each["status"] = "fail"
        for fact in each["measurements"]:
            if fact["metric"] == "ib_link.state" and fact["labels"].get("nic") == "mlx5_ib5":
                fact["value"] = "DOWN"
    copies = [
        sampled(
            "gpu_copy.bandwidth",
            (55 - (9 if gpu == 3 else gpu / 10)) * GB,
            "B/s",
            {"direction": way, "gpu": str(gpu), "pci": f"000{gpu + 1}:00:00.0"},
        )
        for gpu in range(8)
        for way in ("host_to_device", "device_to_host")
    ]
    judged = [
        verdict(
            "warn" if fact["value"]["value"] < 50 * GB else "pass",
            fact["metric"],
            {**fact["labels"], "host": host},
            "at least 50 GB/s (fails below 40 GB/s)",
            f"{fact['value']['value'] / GB:.1f} GB/s",
            fact["value"],
            *(("gpu_copy_slow", "Check the PCIe link of this GPU.") if fact["value"]["value"] < 50 * GB else ()),
        )
        for fact in copies
    ]
    latencies = [
        sampled("ib_latency.latency", 1.6e-6 + nic * 2e-8, "s", {"nic": f"mlx5_ib{nic}", "port": "1", "size": "2 B"}, 0.02)
        for nic in range(8)
    ]
    report["checks"] += [
        curve_of(host),
        run("gpu_copy", host, copies, judged),
        run("ib_latency", host, latencies, []),
        log_of(host),
    ]
    return finished(report)


def job(captured, hosts=8):
    report = copy.deepcopy(captured)
    names = [f"gpu-{number:04}" for number in range(1, hosts + 1)]
    report["hosts"] = [{"name": name, "fingerprint": {}} for name in names]
    rng = random.Random(5)
    facts = []
    for one in range(hosts):
        for other in range(one + 1, hosts):
            rate = 46 * GB * (0.55 if {one, other} == {2, 5} else rng.uniform(0.97, 1))
            facts.append(sampled("host_allreduce.pair_bandwidth", rate, "B/s", {"host": f"{names[one]} {names[other]}"}))
    slow = verdict(
        "fail",
        "host_allreduce.slow_path",
        {"host": f"{names[2]} {names[5]}"},
        "none",
        "the path is 45 % slower than others",
        "the path is 45 % slower than others",
        "slow_path",
        "Check the cables between these hosts.",
    )
    facts.append({"metric": "host_allreduce.slow_path", "value": slow["value"], "labels": slow["labels"]})
    report["checks"] = [run("host_allreduce", names[0], facts, [slow], hosts=names)]
    return finished(report)


def hostile(captured, seed=1):
    """A report in which every text is what an attacker would write; kinds of texts that the reader checks stay."""
    rng = random.Random(seed)
    report = rich(captured)
    kept = {"status", "outcome", "started", "unit", "tier", "decision", "metric", "code", "numa", "size", "check"}

    def spoilt(value, key):
        if isinstance(value, str):
            return value if key in kept and rng.random() < 0.85 else rng.choice(HOSTILE)
        if isinstance(value, list):
            return [spoilt(each, key) for each in value]
        if isinstance(value, dict):
            return (
                {name if rng.random() < 0.97 else rng.choice(HOSTILE[:14]): spoilt(each, name) for name, each in value.items()}
                if key in ("labels", "fingerprint", "environment")
                else {name: spoilt(each, name) for name, each in value.items()}
            )
        return value

    host = rng.choice(HOSTILE[:8])
    for each in report["checks"]:
        for part in ("reason", "phase", "information"):
            each[part] = rng.choice(HOSTILE)
        for fact in each["measurements"]:
            fact["labels"] = spoilt(fact["labels"], "labels")
            if isinstance(fact["value"], str):
                fact["value"] = rng.choice(HOSTILE)
        for found in each["verdicts"]:
            if "value" in found:
                del found["value"]
            found["labels"] = spoilt(found["labels"], "labels")
            for part in ("expected", "source", "reason", "fault", "action", "azure_code"):
                found[part] = rng.choice(HOSTILE)
        each["host"] = host
    report["hosts"] = [{"name": host, "fingerprint": spoilt(report["hosts"][0]["fingerprint"], "fingerprint")}]
    report["summary"], report["run_id"] = HOSTILE[0], HOSTILE[1]
    report["environment"] = {HOSTILE[0]: HOSTILE[1]}
    report["profile"] = {"name": HOSTILE[2], "sha256": HOSTILE[3], "chosen_by": HOSTILE[14], "doubt": HOSTILE[0]}
    return report

# SPDX-License-Identifier: Apache-2.0
"""Reports of fleets that fill a page, and one that an attacker would write; made of what the schema says."""

import json
import random

from page_reports import HOSTILE

CHECKS = (
    "allreduce",
    "clock",
    "cpu",
    "disk_io",
    "disk_peers",
    "gpu_compute",
    "gpu_copy",
    "gpu_devices",
    "gpu_memory",
    "gpu_state",
    "host_allreduce",
    "host_memory",
    "ib_bandwidth",
    "ib_latency",
    "ib_link",
    "inventory",
    "kernel_log",
    "limits",
    "nvme_health",
    "topology",
)
METRICS = (
    ("gpu_copy.bandwidth", "B/s", 55e9, {"direction": "host_to_device"}),
    ("gpu_copy.latency", "s", 3.4e-6, {"direction": "host_to_device"}),
    ("host_memory.bandwidth", "B/s", 280e9, {"kernel": "triad"}),
    ("gpu_memory.bandwidth", "B/s", 3.0e12, {"kernel": "triad"}),
    ("gpu_compute.rate", "op/s", 7.0e14, {"arithmetic": "bf16"}),
    ("disk_io.bandwidth", "B/s", 6.5e9, {"pattern": "sequential_read"}),
    ("ib_bandwidth.bandwidth", "bit/s", 394e9, {"operation": "write"}),
    ("ib_latency.latency", "s", 1.6e-6, {"operation": "write"}),
)


def fleet(nodes, seed=3, bad=0.03, text=None):
    """The report of a fleet in which a share of the nodes is bad, with what it was the night before."""
    rng = random.Random(seed)
    made = []
    for number in range(nodes):
        name = (text or "gpu-{:05}").format(number)
        letters = ["p"] * len(CHECKS)
        letters[CHECKS.index("gpu_devices")] = "s"
        problems, coverage, reason = [], "tested", ""
        if rng.random() < bad:
            at = rng.randrange(len(CHECKS))
            status, letters[at] = rng.choice((("fail", "f"), ("warn", "w"), ("unknown", "u"), ("warn", "w")))
            problems.append(
                {
                    "status": status,
                    "check": CHECKS[at],
                    "host": name,
                    "metric": f"{CHECKS[at]}.state",
                    "labels": {"nic": f"mlx5_ib{number % 8}"},
                    "count": 1,
                    "reason": f"{rng.randrange(100, 300)} GB/s is below what is expected",
                    "fault": f"{CHECKS[at]}_slow",
                    "action": f"Run muster {CHECKS[at]} again while the node is idle.",
                }
            )
        status = problems[0]["status"] if problems else "pass"
        if rng.random() < 0.004:
            coverage, reason, status, problems, letters = "missing", "it left no report", "fail", [], []
        before = status if rng.random() < 0.97 else rng.choice(("pass", "fail", "warn"))
        made.append(
            {
                "name": name,
                "status": status,
                "coverage": coverage,
                "before": "missing" if coverage == "missing" else before,
                "reason": reason,
                "profile": "nd96isr_h100_v5",
                "reports": (
                    []
                    if coverage == "missing"
                    else [
                        {
                            "path": f"reports/{name}.json",
                            "run_id": f"{number:016x}",
                            "started": "2026-11-30T02:15:02.500Z",
                            "status": status,
                            "whole": True,
                        }
                    ]
                ),
                "problems": problems,
                "omitted": 0,
                **({"checks": "".join(letters)} if letters else {}),
            }
        )
    order = ("skip", "pass", "warn", "unknown", "fail")
    made.sort(key=lambda node: (-order.index(node["status"]), node["name"]))
    spreads = []
    for metric, unit, middle, labels in METRICS:
        quantiles = [float(f"{middle * (1 + 0.01 * step):.5g}") for step in (-9, -4.6, -3.2, -1.3, 0, 1.4, 3.4, 4.6, 8)]
        better = "lower" if unit == "s" else "higher"
        out = [
            {"node": made[each]["name"], "component": {"gpu": str(each % 8)}, "value": quantiles[8 if better == "lower" else 0]}
            for each in range(min(2, len(made)))
        ]
        spreads.append(
            {
                "profile": "nd96isr_h100_v5",
                "machine": "full, Intel(R) Xeon(R) Platinum 8480C, NVIDIA H100 80GB HBM3",
                "metric": metric,
                "unit": unit,
                "labels": labels,
                "better": better,
                "nodes": nodes,
                "values": 8 * nodes,
                "quantiles": quantiles,
                "slow": len(out),
                "outliers": out,
            }
        )
    worst = max((node["status"] for node in made), key=order.index, default="pass")
    counts = ", ".join(
        f"{sum(node['status'] == status for node in made)} {word}"
        for status, word in (("fail", "failed"), ("unknown", "unknown"), ("warn", "warned"), ("pass", "passed"))
    )
    return {
        "schema": 1,
        "tool": {"name": "muster", "version": "0.1.0"},
        "run_id": "5f0c2a9e81d34b76",
        "made": "2026-11-30T06:00:00.000Z",
        "since": "2026-11-29T06:00:00.000Z",
        "status": worst,
        "summary": f"of {nodes} nodes: {counts}",
        "nodes": made,
        "unreadable": [],
        "peers": {"nodes": nodes, "values": 214 * nodes, "divided": []},
        "previous": {"run_id": "11", "made": "2026-11-29T06:00:00.000Z"},
        "gone": ["gpu-old-1"],
        "check_names": list(CHECKS),
        "metrics": spreads,
    }


def hostile_fleet(nodes=40):
    rng = random.Random(9)
    report = json.loads(json.dumps(fleet(nodes, bad=0.6)))
    for number, node in enumerate(report["nodes"]):
        node["name"] = HOSTILE[number % len(HOSTILE)] + str(number)
        node["reason"] = rng.choice(HOSTILE)
        for problem in node["problems"]:
            for part in ("check", "host", "metric", "reason", "fault", "action"):
                problem[part] = rng.choice(HOSTILE)
            problem["labels"] = {rng.choice(HOSTILE): rng.choice(HOSTILE)}
    report["summary"], report["gone"] = HOSTILE[0], list(HOSTILE)
    report["check_names"] = [f"{HOSTILE[number % 14]}{number}" for number in range(len(CHECKS))]
    report["unreadable"] = [{"path": text, "reason": HOSTILE[0]} for text in HOSTILE]
    for spread in report["metrics"]:
        spread.update(
            metric=rng.choice(HOSTILE), profile=rng.choice(HOSTILE), machine=rng.choice(HOSTILE), labels={HOSTILE[0]: HOSTILE[1]}
        )
        for out in spread["outliers"]:
            out.update(node=rng.choice(HOSTILE), component={HOSTILE[1]: HOSTILE[0]})
    return report

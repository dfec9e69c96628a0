# SPDX-License-Identifier: Apache-2.0
"""Reports of runs that nobody made: the rates of a machine with eight GPUs, sampled from models of noise until their median is
known to one percent, as checks do. It shares nothing with muster but the names of metrics and the form of a report."""
import math
import statistics

# Metric, unit, value of a healthy machine, noise of a sample as a share, and the labels that tell its values apart.
GPUS = [{"gpu": str(i), "pci": f"0000:{16 + 8 * i:02x}:00.0"} for i in range(8)]
KINDS = (
    ("host_memory", "bandwidth", "B/s", 2.9e11, 0.004,
     [{"numa": numa, "kernel": kernel} for numa in "01" for kernel in ("copy", "scale", "add", "triad")]),
    ("gpu_memory", "bandwidth", "B/s", 3.2e12, 0.002,
     [gpu | {"kernel": kernel} for gpu in GPUS for kernel in ("write", "copy", "triad", "dot", "read")]),
    ("gpu_copy", "bandwidth", "B/s", 5.5e10, 0.004,
     [gpu | {"direction": way} for gpu in GPUS for way in ("host_to_device", "device_to_host", "both")]),
    ("gpu_copy", "latency", "s", 3.4e-6, 0.01, [gpu | {"direction": way} for gpu in GPUS for way in ("host_to_device", "device_to_host")]),
    ("gpu_compute", "rate", "op/s", 7e14, 0.008,
     [gpu | {"arithmetic": what} for gpu in GPUS for what in ("fp64", "tf32", "bf16", "fp16", "fp8", "int8")]),
    ("disk_io", "rate", "Hz", 6e5, 0.01, [{"pattern": pattern, "depth": depth} for pattern in ("random_read", "random_write") for depth in ("1", "32")]),
    ("allreduce", "bus_bandwidth", "B/s", 4.6e11, 0.008,
     [{"operation": "allreduce", "size": f"{2 ** i} MiB", "hosts": "1"} for i in range(3, 14)]),
)
LESS_IS_BETTER = {"latency"}


def normal(draw, noise):
    """Each sample by itself."""
    return lambda: draw.gauss(0, noise)


def heavy_tail(draw, noise):
    """Student's t of 3 degrees of freedom, and now and then a sample that something held up by a tenth to a half."""
    def sample():
        tailed = noise * draw.gauss(0, 1) / math.sqrt(draw.gammavariate(1.5, 2) / 3)
        return tailed - (draw.uniform(0.1, 0.7) if draw.random() < 0.05 else 0)
    return sample


def of_runs(draw, noise):
    """Each run is off by something of its own that its samples do not show, as by where its memory lies."""
    offset = draw.gauss(0, 0.004)
    return lambda: offset + draw.gauss(0, noise)


def alike(draw, noise):
    """Samples that resemble those before them: a part of the noise, half as large as the rest, lasts for ten samples or so."""
    lasting = noise / 2
    state = draw.gauss(0, lasting)

    def sample():
        nonlocal state
        state = 0.9 * state + draw.gauss(0, lasting * math.sqrt(1 - 0.81))
        return state + draw.gauss(0, noise)
    return sample


def crowded(draw, noise):
    """A machine that others share: whole runs are slower by up to a sixth, and their samples are apart as far."""
    del noise
    offset = draw.uniform(-0.12, 0)
    return lambda: offset - abs(draw.gauss(0, 0.08))


MODELS = (normal, heavy_tail, of_runs, alike)


def ranks_of_interval(count):
    """Of the order statistics around the median, from 0, that hold it in 95 of 100 cases."""
    below, rank = 0.5 ** count, 0
    while below <= 0.025:
        rank += 1
        below += math.comb(count, rank) * 0.5 ** count
    return rank - 1, count - rank


def quantile(ordered, share):
    place = share * (len(ordered) - 1)
    low = math.floor(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)


def sampled(sample, middle, least=6, most=60):
    """Samples until the interval of their median lies within a percent of it, or there are as many as time allows."""
    values = [middle * math.exp(sample()) for _ in range(least)]
    while True:
        ordered = sorted(values)
        low, high = (ordered[rank] for rank in ranks_of_interval(len(ordered)))
        median = statistics.median(ordered)
        if max(high - median, median - low) <= 0.01 * median or len(values) >= most:
            break
        values.extend(middle * math.exp(sample()) for _ in range(3))
    spread = 1.4826 * statistics.median(abs(value - median) for value in ordered) / median
    return {"n": len(ordered), "minimum": ordered[0], "median": median, "p95": quantile(ordered, 0.95), "p99": quantile(ordered, 0.99),
            "maximum": ordered[-1], "spread": spread, "median_interval": {"low": low, "high": high}}


def check(name, host, measurements):
    first = measurements[0]
    verdict = {"status": "pass", "metric": first["metric"], "labels": first["labels"], "value": first["value"], "expected": "much", "source": "",
               "reason": "it is", "fault": "", "action": "", "azure_code": "", "azure_category": ""}
    return {"check": name, "host": host, "component": {}, "attempt": 1, "status": "pass", "outcome": "finished", "reason": "", "phase": "",
            "information": "", "started": "2026-11-30T01:00:00Z", "duration_seconds": 1, "verdicts": [verdict], "measurements": measurements,
            "evidence": []}


def places():
    """Of every rate: metric and labels."""
    return [(f"{name}.{subject}", labels) for name, subject, _, _, _, all_labels in KINDS for labels in all_labels]


def report(draw, model, machine, slow=None, loss=0.0, host="gpu-1", run_id="1"):
    """One run. `machine` is a seed: what makes this machine's values its own. `slow` is the number of a rate in places()."""
    own = type(draw)(machine)
    checks, number = {}, 0
    for name, subject, unit, healthy, noise, all_labels in KINDS:
        for labels in all_labels:
            middle = healthy * math.exp(own.gauss(0, 0.01))
            if number == slow:
                middle = middle / (1 - loss) if subject in LESS_IS_BETTER else middle * (1 - loss)
            sample = model(draw, noise)
            way = -1 if subject in LESS_IS_BETTER else 1
            summary = sampled(lambda sample=sample, way=way: way * sample(), middle)
            checks.setdefault(name, []).append({"metric": f"{name}.{subject}", "value": {"value": summary["median"], "unit": unit}, "labels": labels,
                                                "summary": summary, "stopping": {"rule": "precision", "n": summary["n"], "decision": "precise"}})
            number += 1
    return {"schema": 1, "tool": {"name": "muster", "version": "0.1.0"}, "run_id": run_id, "started": "2026-11-30T01:00:00Z", "duration_seconds": 9,
            "status": "pass", "summary": "played", "profile": {"name": "generic", "sha256": "0" * 64, "chosen_by": "played"},
            "selection": {"tier": "quick", "only": [], "skip": []}, "environment": {}, "hosts": [{"name": host, "fingerprint": {}}],
            "checks": [check(name, host, measurements) for name, measurements in checks.items()]}

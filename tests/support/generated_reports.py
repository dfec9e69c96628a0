# SPDX-License-Identifier: Apache-2.0
"""Reports of machines that do not exist, each of a seed of its own: what the schema of reports allows, its optional fields, and no
contradiction. Names of checks, metrics, labels and hosts are made up, most of them plausible and some of them odd."""
import random

STATUSES = ("skip", "pass", "warn", "unknown", "fail")  # the later, the worse
UNITS = ("1", "B", "B/s", "bit/s", "s", "Hz", "W", "°C", "op/s")
BROKEN = ("error", "crashed", "timed_out", "not_started", "interrupted", "out_of_budget", "in_use")
IDLE = ("skipped", "not_built")
SYLLABLES = ("al", "bus", "cor", "disk", "ech", "fan", "gpu", "host", "ib", "jit", "link", "mem", "node", "port", "ring", "swap", "tree")
ODD = ("ß", "Ω", "ნ", "한", "\u0301", "\u200f", "\u00a0", "'", '"', "<", ">", "&", "=", "\\", "|", ",", ";", "\t", "\n", "\r", "\x1b", "\x7f", "%", "{", "}", "#", "/")
RUNS, FACTS, VERDICTS = 12, 14, 10  # at most, of a report and of a check


class Maker:
    def __init__(self, seed):
        self.draw = random.Random(f"report {seed}")
        self.oddness = self.draw.choice((0, 0, 0.02, 0.2))
        self.statuses = STATUSES[: self.draw.randint(2, len(STATUSES))]

    def likely(self, share):
        return self.draw.random() < share

    def name(self):
        return "".join(self.draw.choices(SYLLABLES, k=self.draw.randint(1, 3))) + (str(self.draw.randint(0, 99)) if self.likely(0.3) else "")

    def text(self, most=12):
        """Words, with characters between them that formats have their own ideas of."""
        words = [self.draw.choice(ODD) if self.likely(self.oddness) else self.name() for _ in range(self.draw.randint(0, most))]
        return " ".join(words)

    def some(self, most, make):
        return [make() for _ in range(self.draw.randint(0, most))]

    def labels(self, most=4):
        return {self.name(): self.text(2) for _ in range(self.draw.randint(0, most))}

    def number(self):
        return self.draw.choice((0.0, -1.5, 1e-9, 5e-324, 1.7e308, float(self.draw.randint(0, 2**53)), self.draw.lognormvariate(5, 8)))

    def value(self):
        return {"value": self.number(), "unit": self.draw.choice(UNITS)} if self.likely(0.8) else self.text(3)

    def time(self):
        drawn = self.draw.randint
        fraction = f".{drawn(0, 999):03}" if self.likely(0.7) else ""
        return f"20{drawn(25, 26)}-{drawn(1, 12):02}-{drawn(1, 28):02}T{drawn(0, 23):02}:{drawn(0, 59):02}:{drawn(0, 59):02}{fraction}Z"

    def sampled(self, metric, unit):
        values = sorted(abs(self.draw.gauss(100, 20)) for _ in range(6))
        minimum, low, median, high, p95, maximum = values
        summary = {"n": self.draw.randint(2, 10**6), "minimum": minimum, "median": median, "p95": p95, "p99": p95, "maximum": maximum,
                   "spread": (high - low) / median}
        if self.likely(0.7):
            summary["median_interval"] = {"low": low, "high": high}
        fact = {"metric": metric, "value": {"value": median, "unit": unit}, "labels": self.labels(), "summary": summary}
        if self.likely(0.5):
            fact["stopping"] = {"rule": self.name(), "pass_edge": high, "fail_edge": low, "noise": 0.01, "n": summary["n"],
                                "decision": self.draw.choice(("pass", "fail", "inconclusive", "precise", "fixed", "budget"))}
        if self.likely(0.3):
            fact["limit"] = {"value": {"value": maximum * 2, "unit": unit}, "source": self.text(4)}
        return fact

    def fact(self, check):
        metric = f"{check}.{self.name()}"
        if self.likely(0.4):
            return self.sampled(metric, self.draw.choice(UNITS))
        return {"metric": metric, "value": self.value(), "labels": self.labels()}

    def verdict(self, facts):
        """Of a fact, or of one that is not there, which is unknown or skipped."""
        of = self.draw.choice(facts)
        found = {"status": self.draw.choice(self.statuses), "metric": of["metric"], "labels": of["labels"], "expected": self.text(6), "source": self.text(4),
                 "reason": self.text(10), "fault": self.name() if self.likely(0.5) else "", "action": self.text(8), "azure_code": "", "azure_category": ""}
        if found["status"] in ("pass", "warn", "fail") or self.likely(0.5):
            found["value"] = of["value"]
        return found

    def run(self, hosts):
        check = self.name()
        made = {"check": check, "host": hosts[0], "component": self.labels(2), "attempt": self.draw.choice((1, 1, 1, 2, 1000)), "reason": self.text(),
                "phase": self.text(2), "information": self.text(), "started": self.time(), "duration_seconds": self.draw.choice((0, 0.25, 1e5)),
                "verdicts": [], "measurements": [], "evidence": []}
        if self.likely(0.3):
            made["hosts"] = hosts
        if self.likely(0.2):
            made["selected"] = {self.name(): self.some(3, self.name)}
        kind = self.draw.choice(("finished", "finished", "finished", "idle", "broken" if "unknown" in self.statuses else "finished"))
        if kind == "idle":
            return made | {"outcome": self.draw.choice(IDLE), "status": "skip"}
        if kind == "broken":
            return made | {"outcome": self.draw.choice(BROKEN), "status": "unknown"} | ({"kernel_function": self.name()} if self.likely(0.3) else {})
        made["measurements"] = [self.fact(check) for _ in range(self.draw.randint(1, FACTS))]
        made["verdicts"] = self.some(VERDICTS, lambda: self.verdict(made["measurements"]))
        made["evidence"] = self.some(3, lambda: {"metric": f"{check}.{self.name()}", "labels": self.labels(), "before": 0, "after": self.draw.randint(0, 9)})
        return made | {"outcome": "finished", "status": max((each["status"] for each in made["verdicts"]), key=STATUSES.index, default="skip")}

    def report(self):
        hosts = [f"{self.name()}-{number}" for number in range(self.draw.choice((1, 1, 1, 2, 8)))]
        checks = {run["check"]: run for run in (self.run(hosts) for _ in range(self.draw.randint(1, RUNS)))}
        is_judged = any(run["verdicts"] for run in checks.values())
        status = max((run["status"] for run in checks.values()), key=STATUSES.index) if is_judged else "unknown"
        return {"schema": 1, "tool": {"name": "muster", "version": f"0.{self.draw.randint(0, 30)}.0"}, "run_id": self.name(), "started": self.time(),
                "duration_seconds": self.draw.uniform(0, 1e4), "status": status,
                "summary": self.text(), "profile": {"name": self.name(), "sha256": "", "chosen_by": self.text(4)},
                "selection": {"tier": self.draw.choice(("preflight", "quick", "full")), "only": list(checks) if self.likely(0.2) else [], "skip": []},
                "environment": {self.name().upper(): self.text(3) for _ in range(3)},
                "hosts": [{"name": host, "fingerprint": self.labels()} for host in hosts], "checks": list(checks.values())}


def report(seed):
    return Maker(seed).report()

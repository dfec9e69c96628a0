# SPDX-License-Identifier: Apache-2.0
"""Random edits of what a profile judges: values near thresholds, at them and beyond, of another unit or kind, and missing; counters too."""
import copy
import math

UNITS = ("1", "B", "B/s", "bit/s", "s", "Hz", "W", "°C", "op/s")
NOT_RUN = ("not selected", "not built, or not of this tier")  # what a judge says of a check without a run


def unjudged(report):
    """The facts alone, so that nothing in it contradicts them."""
    made = copy.deepcopy(report)
    made["status"] = "unknown"
    made["checks"] = [run for run in made["checks"] if run["outcome"] != "not_built" and run["reason"] not in NOT_RUN]
    for run in made["checks"]:
        run["status"], run["verdicts"], run["information"] = "unknown", [], ""
    return made


def fact(expectation, number, unit_of):
    """One of the facts that an expectation is about, which it finds good."""
    bound, unit = expectation["bound"], expectation.get("unit", "1")
    labels = {name: value[:-1] if value.endswith("+") else value for name, value in expectation.get("labels", {}).items()}
    for name in ("gpu", "nic", "drive"):
        labels.setdefault(name, str(number))
    if "fault_label" in expectation:
        labels[expectation["fault_label"]] = "ib_port_down"
    made = {"metric": expectation["metric"], "labels": labels}
    if bound in ("equals", "one_of"):
        good = expectation["value"] if bound == "equals" else expectation["values"][0]
        made["value"] = good if isinstance(good, str) else {"value": good, "unit": unit}
    elif bound == "majority":
        unit = unit_of(expectation["metric"])
        good = expectation.get("values", [2.0 if unit else "as all"])[0]
        made["value"] = good if isinstance(good, str) else {"value": good, "unit": unit}
    elif bound == "efficiency":
        made.update(value={"value": 100.0 * expectation["pass"], "unit": "B/s"}, limit={"value": {"value": 100.0, "unit": "B/s"}, "source": "a path"})
    elif bound == "peers":
        made["value"] = {"value": 100.0 + number / 10, "unit": unit_of(expectation["metric"])}
    else:
        good = expectation.get("pass", 0)
        made["value"] = {"value": sum(good) / 2 if isinstance(good, list) else good, "unit": unit}
    return made


def played_report(draw, template, expectations, unit_of):
    """Of a node with five or eight of whatever is expected by some checks, all good."""
    made = unjudged(template)
    names = sorted({each["check"] for each in expectations if "check" in each})
    made["selection"] = {"tier": "full", "only": draw.sample(names, 3), "skip": []}
    run = {**made["checks"][0], "outcome": "finished", "reason": "", "component": {}, "attempt": 1}
    run.pop("hosts", None)
    run.pop("selected", None)
    checks = {}
    for expectation in expectations:
        if expectation.get("check") not in made["selection"]["only"]:
            continue
        facts = checks.setdefault(expectation["check"], [])
        subjects = {(each["metric"], tuple(sorted(each["labels"].items()))) for each in facts}
        facts += [each for number in range(expectation.get("count", draw.choice((5, 8)))) for each in [fact(expectation, number, unit_of)]
                  if (each["metric"], tuple(sorted(each["labels"].items()))) not in subjects]
    counters = [{"metric": each["metric"], "labels": {"pci": "0000:00:00.0"}, "before": 1, "after": 1} for each in expectations if "check" not in each]
    made["checks"] = [{**run, "check": name, "measurements": facts, "evidence": counters if number == 0 else []}
                      for number, (name, facts) in enumerate(checks.items())]
    return made


def thresholds(expectation, of):
    """All numbers that decide."""
    scale = of["limit"]["value"]["value"] if expectation["bound"] == "efficiency" and "limit" in of else 1
    found = [expectation[name] for name in ("pass", "fail", "value") if name in expectation]
    flat = [number for each in found for number in (each if isinstance(each, list) else [each]) if not isinstance(number, str)]
    return [number * scale for number in flat] or [0, 100.0]


def near(draw, threshold):
    return draw.choice([threshold, math.nextafter(threshold, math.inf), math.nextafter(threshold, -math.inf), threshold * 1.001, threshold * 0.999, threshold * 2, threshold / 2, 0, -threshold,
                        threshold + 1, threshold - 1, 1e300, -1e300, 5e-324])


def sampled(draw, of, number, threshold):
    """The same as the median of samples, of which a rule may have decided."""
    width = abs(threshold) * draw.choice((1e-12, 1e-3, 0.1))
    summary = {"n": draw.randrange(1, 40), "minimum": number, "median": number, "p95": number, "p99": number, "maximum": number, "spread": 0.01}
    if summary["n"] >= 6:
        summary["median_interval"] = draw.choice(({"low": number - width, "high": number + width}, {"low": threshold, "high": max(threshold, number)},
                                                  {"low": min(threshold, number), "high": threshold}, {"low": number, "high": number}))
    of["summary"] = summary


def edited_fact(draw, of, about):
    kind = draw.randrange(8)
    threshold = draw.choice(thresholds(about, of))
    if kind < 4 and isinstance(of["value"], dict):
        of.pop("summary", None)
        of.pop("stopping", None)
        number = float(near(draw, threshold))
        of["value"]["value"] = number
        if draw.random() < 0.4:
            sampled(draw, of, number, threshold)
        if draw.random() < 0.4 and about["bound"] in ("at_least", "at_most", "efficiency"):
            two = [threshold * draw.choice((1, 1, 1, 1.01)) for threshold in thresholds(about, of)[:2]]
            of["stopping"] = {"rule": "sign test", "pass_edge": two[0], "fail_edge": two[-1], "n": 20,
                              "decision": draw.choice(("pass", "fail", "inconclusive", "precise", "budget"))}
    elif kind == 4:
        of.pop("summary", None)
        of["value"] = draw.choice(("another", "", "ACTIVE", *(each for each in [about.get("value"), *about.get("values", [])] if isinstance(each, str))))
    elif kind == 5:
        of.pop("summary", None)
        of["value"] = {"value": float(threshold), "unit": draw.choice(UNITS)}
    elif kind == 6 and isinstance(of["value"], dict):
        most = of["value"]["value"]
        of["limit"] = {"value": {"value": draw.choice((most, math.nextafter(most, -math.inf), most / 2, most * 2 + 1)), "unit": of["value"]["unit"]},
                       "source": "a path"}
    elif kind == 7:
        of.pop("limit", None)


def edited_value(draw, report, expectations):
    """One to three edits of the facts that a profile is about, or of counters."""
    made = unjudged(report)
    for _ in range(draw.randrange(1, 4)):
        run = draw.choice(made["checks"])
        if run["evidence"] and draw.random() < 0.2:
            counter = draw.choice(run["evidence"])
            most = 5 if counter["metric"].startswith("infiniband") else 100000  # of some bits, they stop at their most
            counter["after"] = counter["before"] + draw.choice([by for by in (0, 1, -1, 5, 1000, 1001, 100000) if by <= most])
            continue
        if not run["measurements"]:
            continue
        of = draw.choice(run["measurements"])
        about = [each for each in expectations if each["metric"] == of["metric"]]
        if draw.random() < 0.15:
            run["measurements"].remove(of)
        elif about:
            edited_fact(draw, of, draw.choice(about))
    return made

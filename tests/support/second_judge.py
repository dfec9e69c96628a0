# SPDX-License-Identifier: Apache-2.0
"""A second judge, written from the documentation of profiles and sharing no code with the first: which verdicts a profile gives
the facts of a report of one host. Skips are not told, for they accuse nobody, and neither is what is said whatever is expected."""
import json
import math
import statistics
import sys

MORE_IS_BETTER = ("ib_link.rate", "gpu_copy.peers_reached", "gpu_state.nvlinks_active")  # of what all should have alike
UNITS = ("1", "B", "B/s", "bit/s", "s", "Hz", "W", "°C", "op/s")
NOT_RUN = ("not selected", "not built, or not of this tier")  # what a judge says of a check without a run
TIERS = ("preflight", "quick", "full")
BADNESS = ("skip", "pass", "warn", "unknown", "fail")
COMPONENTS = {"host", "rank", "group", "numa", "cpus", "gpu", "gpu_uuid", "nic", "port", "guid", "drive", "serial", "pci", "interface", "rail",
              "partner", "partner_nic", "partner_port", "partner_guid"}
ENDED_WELL = ("finished", "skipped", "not_built")
SAME_THRESHOLD = 1e-9  # relative: a threshold went through a text


def subject(expectation):
    return (expectation.get("check", ""), expectation["metric"], json.dumps(expectation.get("labels", {}), sort_keys=True), expectation["bound"])


def expectations_of(file, folder):
    """Its own and those that it inherits, of which one of the same subject is replaced."""
    document = json.loads(file.read_text())
    every = expectations_of(folder / f"{document['extends']}.json", folder) if "extends" in document else {}
    for expectation in [*document["expectations"], *document.get("evidence", [])]:
        every[subject(expectation)] = expectation
    return every


def number_of(value, unit):
    """None where it is of another unit, or a text."""
    return value["value"] if isinstance(value, dict) and value["unit"] == unit else None


def is_impossible(fact):
    """Above what its path can physically carry."""
    value, limit = fact["value"], fact.get("limit", {}).get("value")
    return limit is not None and isinstance(value, dict) and limit["unit"] == value["unit"] and value["value"] > limit["value"]


def matches(wanted, labels):
    def holds(value, found):
        if value.endswith("+") and value[:-1].isdigit():
            return found is not None and found.isdigit() and int(found) >= int(value[:-1])
        return value == found
    return all(holds(value, labels.get(name)) for name, value in wanted.items())


def beyond(low, high, interval):
    """How what lies somewhere in this interval stands to a range: inside, outside or across."""
    if low <= interval[0] and interval[1] <= high:
        return "inside"
    return "outside" if interval[1] < low or interval[0] > high else "across"


class Judge:
    def __init__(self, profile, folder, faults):
        self.expectations = list(expectations_of(profile, folder).values())
        table = json.loads(faults.read_text())
        self.severities = {fault["code"]: fault.get("severity", "fail") for fault in table}

    def judged(self, report):
        """Lists of check, status, metric, labels and fault."""
        self.report = report
        self.verdicts = []  # each with its run
        self.runs = [run for run in report["checks"] if run["measurements"] or not (
            run["outcome"] == "not_built" or (run["outcome"] == "skipped" and run["reason"] in NOT_RUN))]
        for expectation in self.expectations:
            if TIERS.index(expectation.get("tier", "quick")) > TIERS.index(report["selection"]["tier"]):
                continue
            if "check" in expectation:
                self.hold_check(expectation)
            else:
                self.hold_evidence(expectation)
        self.tell_impossible()
        return [verdict for _, verdict in self.verdicts]

    def selects(self, check):
        selection = self.report["selection"]
        return check not in selection["skip"] and (not selection["only"] or check in selection["only"])

    def hold_check(self, expectation):
        if not self.selects(expectation["check"]):
            return
        looks = [[(run, fact) for run in self.runs if run["check"] == expectation["check"] and run["attempt"] == attempt
                  for fact in run["measurements"] if fact["metric"] == expectation["metric"]
                  and matches(expectation.get("labels", {}), {**run["component"], **fact["labels"]})] for attempt in (1, 2)]
        facts = looks[0]
        if expectation["bound"] in ("peers", "majority"):
            self.hold_among(expectation, *looks)
        else:
            for run, fact in facts:
                self.tell(expectation, run, fact["labels"], *self.hold(expectation, fact))
        self.tell_lacking(expectation, facts)

    def tell(self, expectation, run, labels, status, fault=""):
        if status in ("fail", "unknown", "warn"):
            code = fault or expectation.get("fault") or labels.get(expectation.get("fault_label"), "")
            if status == "fail":  # what nobody knows is no violation
                status = expectation.get("severity") or self.severities.get(code, "fail")
        else:
            code = ""
        if status != "skip":
            self.add(expectation, run, labels, status, code)

    def add(self, expectation, run, labels, status, code):
        self.verdicts.append((run, self.verdict(run, expectation["metric"], labels, status, code)))

    @staticmethod
    def verdict(run, metric, labels, status, code):
        return [run["check"], status, metric, {"host": run["host"], **run["component"], **labels}, code]

    # One fact

    def tell_impossible(self):
        """Of numbers beyond their limit of which no expectation told it."""
        for run in self.runs:
            for fact in filter(is_impossible, run["measurements"]):
                verdict = self.verdict(run, fact["metric"], fact["labels"], "unknown", "measurement_impossible")
                if not any(told == verdict and of is run for of, told in self.verdicts):
                    self.verdicts.append((run, verdict))

    def hold(self, expectation, fact):
        bound, value, limit = expectation["bound"], fact["value"], fact.get("limit")
        if is_impossible(fact):
            return "unknown", "measurement_impossible"
        if bound in ("equals", "one_of"):
            return self.hold_values(expectation, value)
        if bound == "no_change" and not isinstance(value, dict):
            return "unknown", "counter_unusable"
        if bound == "efficiency":
            if not isinstance(value, dict):
                return "unknown", "measurement_unusable"
            if not limit:
                return "skip", ""
            if limit["value"]["unit"] != value["unit"] or limit["value"]["value"] <= 0:
                return "unknown", "measurement_unusable"
            number = value["value"]
            thresholds = [expectation[name] * limit["value"]["value"] for name in ("pass", "fail")]
        else:
            number = number_of(value, expectation.get("unit", "1"))
            thresholds = [expectation.get("pass", 0), expectation.get("fail", expectation.get("pass", 0))]
        if number is None:
            return "unknown", "measurement_unusable"
        if bound == "no_change" and number < 0:
            return "unknown", "counter_unusable"
        return self.hold_thresholds(bound, fact, number, *thresholds)

    @staticmethod
    def hold_values(expectation, value):
        good = expectation["values"] if expectation["bound"] == "one_of" else [expectation["value"]]
        unit = expectation.get("unit", "1")
        alike = [each for each in good if isinstance(each, str) == isinstance(value, str)]
        if isinstance(value, dict) and value["unit"] != unit or not alike:
            return "unknown", "measurement_unusable"
        return ("pass" if (value if isinstance(value, str) else value["value"]) in alike else "fail"), ""

    @staticmethod
    def hold_growth(grown, most, fails_above):
        if grown < 0:
            return "unknown", "counter_unusable"
        return ("pass" if grown <= most else "fail" if grown > fails_above else "warn"), ""

    @staticmethod
    def ranges(bound, good, bad):
        """Where it passes, and outside of which it fails."""
        endless = float("inf")
        if bound == "within":
            return good, bad
        return ([good, endless], [bad, endless]) if bound in ("at_least", "efficiency") else ([-endless, good], [-endless, bad])

    def hold_thresholds(self, bound, fact, number, good, bad):
        passing, bearable = self.ranges(bound, good, bad)
        stopping = fact.get("stopping", {})
        tested = [stopping.get("pass_edge"), stopping.get("fail_edge")]
        if bound != "within" and stopping.get("decision") in ("pass", "fail", "inconclusive") and None not in tested and all(
                abs(one - other) <= SAME_THRESHOLD * abs(other) for one, other in zip(tested, (good, bad))):
            if stopping["decision"] == "pass":
                return ("pass" if passing[0] <= number <= passing[1] else "warn"), ""
            return ("fail", "") if stopping["decision"] == "fail" else ("unknown", "inconclusive")
        interval = [number, number]
        if "summary" in fact:
            if "median_interval" not in fact["summary"]:
                return "unknown", "too_few_samples"
            interval = [fact["summary"]["median_interval"][end] for end in ("low", "high")]
        if beyond(*passing, interval) == "inside":
            return "pass", ""
        return {"inside": ("warn", ""), "outside": ("fail", ""), "across": ("unknown", "inconclusive")}[beyond(*bearable, interval)]

    # Several facts

    def hold_among(self, expectation, facts, again):
        kinds = {}
        for run, fact in facts:
            labels = {"host": run["host"], **run["component"], **fact["labels"]}
            kind = {name: value for name, value in labels.items() if name not in COMPONENTS or value == "all"}
            kinds.setdefault(json.dumps(kind, sort_keys=True), []).append((run, fact, labels))
        for group in kinds.values():
            seconds = [next((other["value"]["value"] for second, other in again if isinstance(other["value"], dict)
                             and {"host": second["host"], **second["component"], **other["labels"]} == labels), None) for _, _, labels in group]
            self.hold_group(expectation, group, seconds)

    def hold_group(self, expectation, group, seconds):
        values = []
        units = [fact["value"]["unit"] for _, fact, _ in group if isinstance(fact["value"], dict) and not is_impossible(fact)]
        usual = max(UNITS, key=units.count)
        for run, fact, labels in group:
            status, fault = self.usable(expectation, fact, usual)
            if status:
                self.tell(expectation, run, fact["labels"], status, fault)
            else:
                values.append((run, fact, labels))
        if expectation["bound"] == "majority":
            self.hold_majority(expectation, values)
        else:
            self.hold_peers(expectation, values, seconds)

    @staticmethod
    def usable(expectation, fact, unit):
        if is_impossible(fact):
            return "unknown", "measurement_impossible"
        if expectation["bound"] == "peers" and number_of(fact["value"], unit) is None:
            return "unknown", "measurement_unusable"
        return None, ""

    def hold_peers(self, expectation, group, seconds):
        numbers = [fact["value"]["value"] for _, fact, _ in group]
        for place, (run, fact, _) in enumerate(group if len(group) >= 5 else ()):
            is_time = fact["value"]["unit"] == "s"
            status = "pass"
            if self.is_odd(expectation, numbers, place, is_time):
                is_again = None not in seconds and len(seconds) == len(numbers) and self.is_odd(expectation, seconds, place, is_time)
                status = "fail" if is_again and "noise" in expectation else "warn"
            self.tell(expectation, run, fact["labels"], status)

    @staticmethod
    def is_odd(expectation, numbers, place, is_time):
        def others(of):
            return of[:place] + of[place + 1:]

        def worse(of):
            return (of[place] - statistics.median(others(of))) * (1 if is_time else -1)

        # What is never negative differs by ratios, of which the differences are those of logarithms.
        ratios = [math.log(max(number, sys.float_info.min)) for number in numbers] if min(numbers) >= 0 else numbers
        middle = statistics.median(others(ratios))
        spread = max(statistics.median(abs(other - middle) for other in others(ratios)), 1e-12)
        least = max(0.03, 4 * expectation.get("noise", 0)) * abs(statistics.median(others(numbers)))
        return least > 0 and worse(numbers) >= least and 0.6745 * worse(ratios) > 3.5 * spread

    def hold_majority(self, expectation, group):
        values = [fact["value"] for _, fact, _ in group]
        if len(values) < 3:
            return
        words = [json.dumps(value, sort_keys=True) for value in values]
        usual = max(words, key=words.count)
        if words.count(usual) * 2 <= len(words):
            return
        right = {usual}
        good = [json.dumps(value if isinstance(value, str) else {"unit": expectation.get("unit", "1"), "value": value}, sort_keys=True)
                for value in expectation.get("values", [])]
        unit = json.loads(usual)["unit"] if usual.startswith("{") and expectation["metric"] in MORE_IS_BETTER else None
        rates = {value["value"]: word for value, word in zip(values, words) if isinstance(value, dict) and value["unit"] == unit}
        if any(word in good for word in words):
            right = set(good)
        elif rates:
            right = {rates[max(rates)]}
        for (run, fact, _), word in zip(group, words):
            self.tell(expectation, run, fact["labels"], "pass" if word in right else "fail")

    # What lacks

    def tell_lacking(self, expectation, facts):
        labels = expectation.get("labels", {})
        runs = [run for run in self.runs if run["check"] == expectation["check"] and run["attempt"] == 1
                and all(run["component"].get(name, value) == value for name, value in labels.items())]
        if not runs:
            runs = [{"check": expectation["check"], "host": self.report["hosts"][0]["name"], "component": {}, "outcome": "not_built", "measurements": []}]
        lacking = [run for run in runs if not any(run is owner for owner, _ in facts)]
        if "count" in expectation and len(facts) >= expectation["count"]:
            lacking = []
        elif "count" in expectation:
            lacking = [run for run in runs if run in lacking or run["outcome"] not in ENDED_WELL] or runs[:1]
        for run in lacking:
            if run["outcome"] not in ENDED_WELL:
                self.add(expectation, run, labels, "unknown", "could_not_measure")
            elif not expectation.get("optional", False):
                self.add(expectation, run, labels, "fail", "not_measured")

    def hold_evidence(self, expectation):
        for run in self.runs:
            for counter in run["evidence"]:
                if counter["metric"] == expectation["metric"] and matches(expectation.get("labels", {}), {**run["component"], **counter["labels"]}):
                    status, fault = self.hold_growth(counter["after"] - counter["before"], expectation.get("pass", 0),
                                                     expectation.get("fail", expectation.get("pass", 0)))
                    if status != "pass":
                        self.tell(expectation, run, counter["labels"], status, fault)

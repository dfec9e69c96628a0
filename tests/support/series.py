# SPDX-License-Identifier: Apache-2.0
"""Which series muster writes, and what a PromQL expression wants of them that it does not write."""
import collections
import json
import pathlib
import re
import tempfile
import time

from muster import SOURCE, muster, of_host

SERIES = re.compile(r'^(muster_\w+)(?:\{(.*)\})? \S+$', re.MULTILINE)
LABEL = re.compile(r'(\w+)="((?:[^"\\]|\\.)*)"')
# A metric with its matchers, or a list of labels after one of these words.
SELECTOR = re.compile(r'\b(muster_\w+)\s*(?:\{([^}]*)\})?')
LISTS = re.compile(r'\b(?:by|without|on|ignoring|group_left|group_right)\s*\(([^)]*)\)')
MATCHER = re.compile(r'(\w+)\s*(=~|!~|!=|=)\s*"((?:[^"\\]|\\.)*)"')
OF_PROMETHEUS = {"job", "instance", "alertname", "alertstate", "severity"}


def written():
    """{metric: {label: its values}} of the reports of every example and of a job, and of a fleet with nodes in every state."""
    found = collections.defaultdict(lambda: collections.defaultdict(set))
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        examples = {file.stem: json.loads(file.read_text()) for file in (SOURCE / "results/examples").glob("*.json")}
        nodes = folder / "nodes"
        nodes.mkdir()
        now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        for name, example in examples.items():
            (nodes / f"{name}.json").write_text(json.dumps(of_host(example, name) | {"run_id": name, "started": now}))
        (nodes / "odd.json").write_text("{")
        fleet = muster("fleet", "collect", nodes, "--nodes", ",".join([*examples, "gone"]), "--also", "openmetrics=fleet.prom", folder=folder)
        assert fleet.returncode in (1, 3), fleet.stderr
        texts = [(folder / "fleet.prom").read_text()]
        job = json.dumps(examples["pass"]).replace("host_memory.bandwidth", "allreduce.bus_bandwidth").replace('"host_memory"', '"allreduce"')
        (folder / "job.json").write_text(job)
        files = [folder / "job.json", *(SOURCE / "results/examples").glob("*.json")]
        texts += [muster("report", file, "--format", "openmetrics", folder=folder).stdout for file in files]
    for text in texts:
        for name, labels in SERIES.findall(text):
            for label, value in LABEL.findall(labels):
                found[name][label].add(value)
            found[name].setdefault("", set())
    return found


# Values that these labels have wherever they are, though not every one is in the examples.
OPEN = {"host", "check", "fault", "run", "version", "profile"}


def wrong(expression, known):
    """What it names and nobody writes, in words; a metric that is in `known` with no labels (None) is recorded by a rule."""
    problems = []
    names = {name for name, _ in SELECTOR.findall(expression)}
    labels = {label for name in names for label in (known.get(name) or {})} | OF_PROMETHEUS
    for name, matchers in SELECTOR.findall(expression):
        if name not in known:
            problems.append(f"{name}: muster does not write this metric")
            continue
        for label, _, value in MATCHER.findall(matchers or ""):
            own = known[name]
            if label in OF_PROMETHEUS or own is None or "$" in value:
                continue
            if label not in own:
                problems.append(f"{name}: has no label {label}")
            elif label not in OPEN:
                problems += [f"{name}: its {label} is never '{each}'" for each in value.split("|") if each not in own[label]]
    for listed in LISTS.findall(expression):
        problems += [f"no metric here has a label {label}" for label in re.findall(r"\w+", listed)
                     if label not in labels and not any(known.get(name) is None for name in names if name in known)]
    return problems


def with_records(known, rules):
    """And what rules record of it: with the labels of what they are made of."""
    every = dict(known)
    for group in rules["groups"]:
        for rule in group["rules"]:
            if "record" in rule:
                sources = [known[name] for name, _ in SELECTOR.findall(rule["expr"]) if name in known]
                every[rule["record"]] = sources[0] if sources else None
    return every

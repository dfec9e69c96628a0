# SPDX-License-Identifier: Apache-2.0
"""Random edits of reports of muster, beside those of any JSON document."""
from edits import KEPT, REFUSED, Pairs, Raw, objects, some, written

STATUSES = ("skip", "pass", "warn", "fail")  # an unfinished report may be unknown


def field(target, name):
    """The pair of an object."""
    return next((pair for pair in target if pair[0] == name), None)


def has(target, *names):
    return all(field(target, name) for name in names)


def lists_shuffled(draw, tree):
    """Verdicts, facts, counters, checks and hosts."""
    for target in objects(tree):
        for name, value in target:
            if name in ("verdicts", "measurements", "evidence", "checks", "hosts") and isinstance(value, list):  # no label
                draw.shuffle(value)
    return written(tree)


def another_status(draw, tree):
    """Of a report or a check; both are those that verdicts give."""
    target = draw.choice([tree, *field(tree, "checks")[1]])
    pair = field(target, "status")
    pair[1] = draw.choice([status for status in STATUSES if status != pair[1]])
    return written(tree)


def misspelt(draw, tree):
    """A word of which there are few."""
    pairs = [pair for target in objects(tree) for pair in target if pair[0] in ("status", "outcome", "tier", "unit")]
    pair = draw.choice(pairs)
    pair[1] = draw.choice([pair[1].upper() + "_", " " + pair[1], pair[1] + " ", pair[1] + "\0", pair[1][:-1], pair[1] + "é", "ok", "GB/s"])
    return written(tree)


def no_quantity(draw, tree):
    """A number that this field cannot have."""
    wrong = {"duration_seconds": ("-1", "-1e-300"), "attempt": ("0", "-1", "1.5", "1001"), "n": ("-1", "0.5", "9007199254740994"),
             "schema": ("2", "0", "1.5", "-1"), "started": ("1",)}
    pairs = [pair for target in objects(tree) for pair in target if pair[0] in wrong]
    pair = draw.choice(pairs)
    pair[1] = Raw(draw.choice(wrong[pair[0]]))
    return written(tree)


def no_time(draw, tree):
    pair = draw.choice([pair for target in objects(tree) for pair in target if pair[0] == "started"])
    pair[1] = draw.choice(["yesterday", "2026-11-28", "2026-11-28 02:50:10Z", "2026-11-28T02:50:10", "2026-11-28T02:50:10+00:00", "2026-11-28T02:50:10.Z",
                           "2026-11-28T02:50:10.1234567890Z", " 2026-11-28T02:50:10Z", "2026-11-28t02:50:10z", "２０２６-11-28T02:50:10Z"])
    return written(tree)


def spoken(tree):
    """(run, verdict) of all verdicts about a value."""
    return [(run, verdict) for run in field(tree, "checks")[1] for verdict in field(run, "verdicts")[1] if has(verdict, "value")]


def another_value(draw, tree):
    """Of a verdict, which is then about what no fact says."""
    every = spoken(tree)
    _, verdict = draw.choice(every)
    value = field(verdict, "value")
    value[1] = draw.choice(["what nobody measured", Pairs([["value", Raw("12345.678")], ["unit", "1"]])])
    return written(tree)


def another_fact(draw, tree):
    """Every fact that a verdict is about."""
    every = spoken(tree)
    run, verdict = draw.choice(every)
    about = [fact for name in ("measurements", "evidence") for fact in field(run, name)[1] if field(fact, "metric")[1] == field(verdict, "metric")[1]]
    for fact in about:
        if has(fact, "value"):
            field(fact, "value")[1] = draw.choice(["another", Pairs([["value", Raw("12345.678")], ["unit", "1"]])])
            fact[:] = [pair for pair in fact if pair[0] != "summary"]
        else:
            field(fact, "after")[1] = Raw("1e300")
    return written(tree)


def another_component(draw, tree):
    """Of a verdict about a value."""
    every = spoken(tree)
    field(draw.choice(every)[1], "labels")[1].append(["rank", "nobody"])
    return written(tree)


def another_median(draw, tree):
    summaries = [field(target, "summary")[1] for target in objects(tree) if has(target, "summary", "metric")]
    field(draw.choice(summaries), "median")[1] = Raw("12345.678")
    return written(tree)


def missing_check(draw, tree):
    """One that was asked for by name."""
    field(field(tree, "selection")[1], "only")[1].append(draw.choice(["gpu_levitation", ""]))
    return written(tree)


def no_extra(draw, tree):
    """Without a field that is optional, of which no verdict is."""
    target = draw.choice([each for each in objects(tree) if has(each, "metric", "labels")])
    target[:] = [pair for pair in target if pair[0] not in ("summary", "stopping", "limit")]
    return written(tree)


def value_without_verdict(draw, tree):
    """A value of the wrong kind in whatever has one."""
    parent, key = some(draw, tree, lambda parent, _, value: parent[0] == "value" and not isinstance(value, Raw))
    parent[key] = draw.choice([Raw("1"), None, [], Pairs(), True])
    return written(tree)


EDITS = [(function.__name__, becomes, function) for becomes, functions in {
    KEPT: (lists_shuffled, no_extra),
    REFUSED: (another_status, misspelt, no_quantity, no_time, another_value, another_fact, another_component, another_median, missing_check,
              value_without_verdict),
}.items() for function in functions]

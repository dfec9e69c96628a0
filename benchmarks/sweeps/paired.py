# SPDX-License-Identifier: Apache-2.0
"""Times of ours beside those of a peer, alternating: the peer, ours and the peer again, 15 times, or PAIRS of the environment."""
import math
import os
import statistics
import subprocess
import sys

PAIRS = max(15, int(os.environ.get("PAIRS", "15")))
UNITS = {"B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}


def mpirun(ranks, binding="none"):
    """What stands before a program of so many ranks, each bound to what --bind-to calls so."""
    return ["mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to", binding, "-np", str(ranks)]


def printed(*words, folder):
    """What a program printed."""
    return subprocess.run([*map(str, words)], cwd=folder, check=True, stdin=subprocess.DEVNULL, capture_output=True, text=True).stdout


def job(ranks, *words, folder, binding="none"):
    """What a job printed."""
    return printed(*mpirun(ranks, binding), *words, folder=folder)


def seconds_by_bytes(document, metric):
    """Of a report's first check."""
    times = {}
    for fact in document["checks"][0]["measurements"]:
        if fact["metric"] == metric:
            number, unit = fact["labels"]["size"].split()
            times[int(number) * UNITS[unit]] = fact["value"]["value"]
    return times


def interval(values):
    """Two of the values between which their median lies in 95 % of all cases: the ranks are those of a fair coin."""
    total, below, outside = len(values), 0, 0.0
    while outside + math.comb(total, below) / 2**total <= 0.025:
        outside += math.comb(total, below) / 2**total
        below += 1
    return sorted(values)[below - 1], sorted(values)[total - below]


def pairs(ours, theirs):
    """Both return numbers by key. Of each key: ours, the ratio to theirs with its interval, and the noise of theirs. Each pair's
    ratios go to stderr, for those who wait."""
    rounds = []
    for number in range(1, PAIRS + 1):
        before, own, after = theirs(), ours(), theirs()
        rounds.append((before, own, after))
        print(f"pair {number}:", *(f"{key} {own[key] / before[key]:.3f}" for key in sorted(before)), file=sys.stderr, flush=True)
    for key in sorted(rounds[0][1]):
        ratios = [own[key] / before[key] for before, own, _ in rounds]
        low, high = interval([after[key] / before[key] for before, _, after in rounds])
        yield key, statistics.median(own[key] for _, own, _ in rounds), statistics.median(ratios), interval(ratios), (high - low) / 2


def line(ratio, around, noise, name, claim, holds):
    answer = "not measurable here" if noise > 0.05 else "yes" if holds else "no"
    return f"ours/{name} {ratio:.3f} [{around[0]:.3f}, {around[1]:.3f}]  h {100 * noise:4.1f} %  {claim}: {answer}"


def compare(ours, theirs, name, within):
    """Both return seconds by bytes, or by name. Prints whether ours are within such a share of theirs, by the noise of theirs."""
    claim = f"within {100 * within:g} %"
    print(f"{PAIRS} pairs; {claim} holds inside {100 * within:g} % + h, h being the noise of {name} against itself")
    for key, time, ratio, around, noise in pairs(ours, theirs):
        said = line(ratio, around, noise, name, claim, abs(ratio - 1) <= within + noise)
        print(f"{f'{key} B' if isinstance(key, int) else key:>13}  ours {time * 1e6:10.2f} us  {said}")


def compare_rates(ours, theirs, name, unit, least=1):
    """Both return rates by name. Prints whether ours are at least so many times theirs, by the noise of theirs."""
    claim = f"at least {least:.2f}"
    print(f"{PAIRS} pairs; {claim} holds from {least:.2f} x (1 - h) on, h being the noise of {name} against itself")
    for key, rate, ratio, around, noise in pairs(ours, theirs):
        print(f"{key:>6}  ours {rate:10.4g} {unit}  {line(ratio, around, noise, name, claim, ratio >= least * (1 - noise))}")

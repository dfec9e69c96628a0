# SPDX-License-Identifier: Apache-2.0
"""Times of ours beside those of a peer, alternating: the peer, ours and the peer again, 15 times."""
import statistics
import subprocess

PAIRS = 15
INTERVAL = (4, 12)  # ranks of the 95 % interval of the median of 15, from 1
MPIRUN = ("mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-np")
UNITS = {"B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}


def job(ranks, *words, folder):
    """What a job printed."""
    return subprocess.run([*MPIRUN, str(ranks), *map(str, words)], cwd=folder, check=True, stdin=subprocess.DEVNULL,
                          capture_output=True, text=True).stdout


def seconds_by_bytes(document, metric):
    """Of a report's first check."""
    times = {}
    for fact in document["checks"][0]["measurements"]:
        if fact["metric"] == metric:
            number, unit = fact["labels"]["size"].split()
            times[int(number) * UNITS[unit]] = fact["value"]["value"]
    return times


def interval(ratios):
    return tuple(sorted(ratios)[rank - 1] for rank in INTERVAL)


def compare(ours, theirs, name, within):
    """Both return seconds by bytes. Prints whether ours are within such a share of theirs, by the noise of theirs."""
    rounds = [(theirs(), ours(), theirs()) for _ in range(PAIRS)]
    print(f"{PAIRS} pairs; within {100 * within:g} % holds inside {100 * within:g} % + h, h being the noise of {name} against itself")
    for size in sorted(rounds[0][1]):
        pairs = [own[size] / before[size] for before, own, _ in rounds]
        low, high = interval([after[size] / before[size] for before, _, after in rounds])
        ratio, noise = statistics.median(pairs), (high - low) / 2
        answer = "not measurable here" if noise > 0.05 else "yes" if abs(ratio - 1) <= within + noise else "no"
        time = statistics.median(own[size] for _, own, _ in rounds)
        print(f"{size:>11} B  ours {time * 1e6:10.2f} us  ours/{name} {ratio:.3f} [{interval(pairs)[0]:.3f}, "
              f"{interval(pairs)[1]:.3f}]  h {100 * noise:4.1f} %  within {100 * within:g} %: {answer}")

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A word of a profile that is misspelt is refused with file, line and the only word that can be meant, whatever reads it. Each run
draws other words and other slips, and prints the seed; `misspelt_test.py SEED` draws them again."""
import json
import os
import random
import re
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/support"))
from muster import SOURCE, muster  # noqa: E402

EXAMPLE = SOURCE / "results/examples/pass.json"
PROFILES = ("generic", "nd96isr_h100_v5")
# Labels whose values the catalogue lists, so that another one is known to be wrong.
LISTED = ("arithmetic", "computation", "direction", "kernel", "link_layer", "memory", "operation", "placement", "reduce", "type")
SEED = int(sys.argv.pop(1)) if sys.argv[1:2] and sys.argv[1].isdigit() else random.randrange(10**6)
OF_EACH_KIND = 7


def words_of(text):
    """By kind of word, the places where a profile has one."""
    places = {kind: [found.span(1) for found in re.finditer(rf'"{kind}": "([^"]+)"', text)]
              for kind in ("check", "metric", "fault", "tier", "unit", "bound", "severity")}
    labels = [found for found in re.finditer(r'"labels": \{([^}]*)\}', text)]
    pairs = [(found.start(1), pair) for found in labels for pair in re.finditer(r'"(\w+)": "([^"]+)"', found[1])]
    places["label"] = [(start + pair.start(1), start + pair.end(1)) for start, pair in pairs]
    places["value"] = [(start + pair.start(2), start + pair.end(2)) for start, pair in pairs if pair[1] in LISTED]
    return places


def is_near(one, two):
    """Whether one slip makes one of the other."""
    if len(one) == len(two):
        wrong = [at for at in range(len(one)) if one[at] != two[at]]
        return len(wrong) <= 1 or (len(wrong) == 2 and wrong[1] == wrong[0] + 1 and one[wrong[0]:wrong[1] + 1] == two[wrong[1]] + two[wrong[0]])
    short, long = sorted((one, two), key=len)
    return len(long) - len(short) == 1 and any(long[:at] + long[at + 1:] == short for at in range(len(long)))


def slips(word):
    """What fingers make of a word: one letter too many, two exchanged, one missing, one twice, one that lies beside it."""
    yield word + "x"
    for at in range(1, len(word) - 1):
        yield word[:at] + word[at + 1] + word[at] + word[at + 2:]
        yield word[:at] + word[at + 1:]
        yield word[:at] + word[at] + word[at:]
        yield word[:at] + "x" + word[at + 1:]


class Misspelt(unittest.TestCase):
    def refused(self, text, misspelt, line, meant):
        with tempfile.TemporaryDirectory() as folder:
            name = os.path.join(folder, "p.json")
            with open(name, "w", encoding="utf-8") as file:
                file.write(text)
            for command in (("judge", EXAMPLE, "--profile", name, "--quiet"), ("profile", "lint", name), ("list", "--profile", name)):
                run = muster(*command, folder=folder)
                told = run.stdout + run.stderr
                with self.subTest(command=command[0], misspelt=misspelt, meant=meant):
                    self.assertEqual(run.returncode, 1 if command[0] == "profile" else 2, told)
                    self.assertIn(f"p.json:{line}:", told)
                    self.assertIn(misspelt, told)
                    self.assertIn(f"'{meant}'", told)

    def test_every_kind_of_word_is_refused(self):
        draw = random.Random(SEED)
        texts = [(SOURCE / f"healthcheck/profiles/{name}.json").read_text() for name in PROFILES]
        known = {text[slice(*place)] for text in texts for places in words_of(text).values() for place in places}
        for row in json.loads((SOURCE / "healthcheck/metrics.json").read_text()):
            known |= {row["metric"], *row.get("labels", {}), *(value for values in row.get("labels", {}).values() for value in values)}
        tried = 0
        for kind in words_of(texts[0]):
            places = [(text, *place) for text in texts for place in words_of(text)[kind]]
            for text, start, end in draw.sample(places, OF_EACH_KIND):
                word = text[start:end]
                others = known - {word}
                only_this = [slip for slip in slips(word) if slip != word and not any(is_near(slip, other) for other in others)]
                if not only_this:
                    continue
                wrong = draw.choice(only_this)
                self.refused(text[:start] + wrong + text[end:], wrong, 1 + text[:start].count("\n"), word)
                tried += 1
        self.assertGreaterEqual(tried, 50)


if __name__ == "__main__":
    print(f"seed {SEED}", flush=True)
    unittest.main()

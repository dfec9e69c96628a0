#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Follows every recipe of CONTRIBUTING.md, in a layer over this tree that is thrown away: what it says to write is written, and what
it says to run must succeed."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import recipes

SOURCE = Path(os.environ["MUSTER_SOURCE"])
INSIDE = "MUSTER_INSIDE_LAYER"
SKIPPED = 77
LEAST_RECIPES = 6

PAGE = """# A page
### Add a thing
`a/b.txt`

```text
one
```
In `c.txt`, after `two`:

```text
three
```
```sh
true
```
## Something else
```sh
false
```
"""


class Reader(unittest.TestCase):
    """The recipes are read as a person reads them."""

    def test_reads_files_edits_and_commands(self):
        recipe, = recipes.read(PAGE)
        self.assertEqual([("a/b.txt", None, "one\n"), ("c.txt", "two", "three\n")], recipe.edits)
        self.assertEqual("true\n", recipe.shell)

    def test_edits_after_the_line_and_refuses_what_is_not_there(self):
        recipe, = recipes.read(PAGE)
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            (root / "c.txt").write_text("one\n  two, too\nfour\n")
            recipe.apply(root)
            self.assertEqual("one\n  two, too\nthree\nfour\n", (root / "c.txt").read_text())
            with self.assertRaisesRegex(SystemExit, "b.txt is there already"):
                recipe.apply(root)
            (root / "a/b.txt").unlink()
            (root / "c.txt").write_text("")
            with self.assertRaisesRegex(SystemExit, "no line with two"):
                recipe.apply(root)

    def test_refuses_a_recipe_that_shows_nothing(self):
        with self.assertRaises(SystemExit):
            list(recipes.read(PAGE.replace("```sh\ntrue\n```\n", "")))


class Recipes(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.recipes = list(recipes.read((SOURCE / "CONTRIBUTING.md").read_text()))
        for recipe in cls.recipes:
            recipe.apply(SOURCE)

    def test_there_are_recipes(self):
        self.assertGreaterEqual(len(self.recipes), LEAST_RECIPES)

    def test_what_they_say_to_run_succeeds(self):
        for recipe in self.recipes:
            with self.subTest(recipe=recipe.title):
                run = subprocess.run(["bash", "-euo", "pipefail", "-c", recipe.shell], cwd=SOURCE, env=os.environ | {"MUSTER_NO_INSTALL": "1"},
                                     stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
                self.assertEqual(0, run.returncode, run.stdout[-4000:])

    def test_the_house_keeps_its_rules(self):
        run = subprocess.run(["python3", "-B", "tests/style/style.py", "."], cwd=SOURCE, stdout=subprocess.PIPE, text=True, check=False)
        self.assertEqual(0, run.returncode, run.stdout[-4000:])


def in_a_layer(folder):
    """This program again, where the tree is what it is now, and whatever is written to it goes into the folder."""
    for name in ("upper", "work"):
        (folder / name).mkdir()
    mount = f"mount -t overlay overlay -o 'lowerdir={SOURCE},upperdir={folder}/upper,workdir={folder}/work' '{SOURCE}'"
    apart = ["unshare", "--mount"] if os.geteuid() == 0 else ["unshare", "--user", "--map-root-user", "--mount"]
    if subprocess.run([*apart, "bash", "-c", mount], stderr=subprocess.DEVNULL, check=False).returncode != 0:
        print("no layer can be mounted over the tree here: recipes are not followed")
        return SKIPPED
    again = f"{mount} && cd '{SOURCE}' && exec '{sys.executable}' -B tests/recipes/recipes_test.py"
    return subprocess.run([*apart, "bash", "-c", again], env=os.environ | {INSIDE: "1"}, check=False).returncode


if __name__ == "__main__":
    if os.environ.get(INSIDE):
        unittest.main()
    with tempfile.TemporaryDirectory() as place:
        sys.exit(in_a_layer(Path(place)))

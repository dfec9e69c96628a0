# SPDX-License-Identifier: Apache-2.0
"""Links of all pages lead somewhere, README leads to every page in two steps, and none of its sentences stands elsewhere."""
import os
import pathlib
import re
import unittest

import data_pages

SOURCE = pathlib.Path(os.environ["MUSTER_SOURCE"])
LONGEST_README = 150  # lines
CODE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)


def pages():
    return sorted(page for page in SOURCE.rglob("*.md") if page.relative_to(SOURCE).parts[0] not in ("build", "shared"))


def anchors(page):
    titles = re.findall(r"^#+ (.*)$", CODE.sub("", page.read_text()), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


def links(page):
    """What a page links to, as a file and an anchor in it."""
    for target in re.findall(r"\]\(([^)\s]+)\)", CODE.sub("", page.read_text())):
        if not re.match(r"https?:", target):
            file, _, anchor = target.partition("#")
            yield target, (page.parent / file).resolve() if file else page, anchor


def sentences(page):
    text = re.sub(r"\s+", " ", CODE.sub(" ", page.read_text()))
    return {found.strip() for found in re.split(r"(?<=[.:|]) ", text) if len(found.split()) >= 12}


class Pages(unittest.TestCase):
    def test_readme_is_short(self):
        self.assertLessEqual(len((SOURCE / "README.md").read_text().splitlines()), LONGEST_README)

    def test_links_lead_somewhere(self):
        for page in pages():
            for target, file, anchor in links(page):
                with self.subTest(page=page, target=target):
                    self.assertTrue(file.exists())
                    if anchor:
                        self.assertIn(anchor, anchors(file))

    def test_readme_leads_to_every_page_in_two_steps(self):
        reached = {SOURCE / "README.md"}
        for _ in range(2):
            reached |= {file for page in reached if page.suffix == ".md" for _, file, _ in links(page)}
        missing = [page for page in pages() if page not in reached and "tests" not in page.parts]
        self.assertEqual(missing, [])

    def test_no_sentence_of_readme_stands_elsewhere(self):
        first = SOURCE / "README.md"
        for page in pages():
            if page != first:
                self.assertEqual(sentences(page) & sentences(first), set(), page)

    def test_pages_of_data_are_as_the_data(self):
        for name, made in data_pages.PAGES.items():
            self.assertTrue((SOURCE / name).read_text() == made(SOURCE), f"{name}: tests/style/data_pages.py . writes it")


if __name__ == "__main__":
    unittest.main()

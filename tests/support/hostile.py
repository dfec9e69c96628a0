# SPDX-License-Identifier: Apache-2.0
"""Reports as an attacker would write them: names, reasons, labels and values that hold what breaks formats, and no contradiction."""
import json
import random

TEXTS = (
    "<script>alert(1)</script>", "\"quoted\" 'text' & <b>", "]]>", "-->", "=HYPERLINK(\"http://x\")", "+1+1", "-1+1", "@SUM(A1)",
    "\t=1", "\r\n# TYPE x counter\nx 1", "\\\" } 1\n# EOF\n", "\u0000\u0001\u001b[31m", "\ufffe\uffff", "a\u0085b\u2028c", "漢字 😀 µ°",
    "{{constructor}}", "${jndi:ldap://x}", "$(reboot); `reboot`", "a,b;c\td", "__name__", "", " ", "x" * 65536,
)
FREE = {"reason", "summary", "expected", "source", "action", "fault", "phase", "information", "metric", "azure_code", "azure_category",
        "run_id", "chosen_by", "doubt"}


class Hostile:
    """Each text becomes another one, the same each time, so that what agreed with each other still does."""

    def __init__(self, draw, share=0.5):
        self.draw, self.share, self.known = draw, share, {}

    def text(self, text):
        if text not in self.known:
            made = self.draw.choice(TEXTS) if self.draw.random() < self.share else text
            # A text of before may not become another one's, nor an empty one.
            self.known[text] = made if text and made and made not in self.known.values() else f"{text}{made[:64]}"
        return self.known[text] if text else text

    def tree(self, node, key=""):
        if isinstance(node, list):
            return [self.text(item) if key == "hosts" and isinstance(item, str) else self.tree(item, key) for item in node]
        if not isinstance(node, dict):
            return node
        return {name: self.member(name, value, key) for name, value in node.items()}

    def member(self, name, value, of):
        if not isinstance(value, str):
            return self.tree(value, name)
        is_free = name in FREE or name == "host" or of in ("labels", "component", "fingerprint", "environment")
        is_name = (name, of) in (("name", "hosts"), ("name", "profile"), ("value", "measurements"), ("value", "verdicts"))
        return self.text(value) if is_free or is_name else value


def report(seed, of):
    """A hostile report of so many seeds, made of a healthy document."""
    draw = random.Random(seed)
    made = Hostile(draw, draw.choice((0.1, 0.5, 1.0))).tree(of)
    return json.dumps(made, ensure_ascii=draw.random() < 0.5)

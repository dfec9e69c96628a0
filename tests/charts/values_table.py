#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The table of a chart's values, from its schema and its defaults: values_table.py CHART writes it into the README there,
between the table's head and the end of the file."""
import json
import pathlib
import sys

import yaml

HEAD = "| Value | Default | What it is |\n|---|---|---|\n"


def rows(schema, defaults, path=""):
    for name, node in schema["properties"].items():
        default = defaults.get(name)
        text = "" if default is None else f"`{json.dumps(default)}`"
        if "properties" in node and isinstance(default, dict) and default:
            yield from rows(node, default, f"{path}{name}.")
        else:
            words = node["description"].replace("|", "\\|")
            if "enum" in node:
                words += ": " + ", ".join(f"`{word}`" for word in node["enum"])
            yield f"| `{path}{name}` | {text} | {words} |\n"


def table(chart):
    schema = json.loads((chart / "values.schema.json").read_text())
    return HEAD + "".join(rows(schema, yaml.safe_load((chart / "values.yaml").read_text())))


if __name__ == "__main__":
    readme = pathlib.Path(sys.argv[1]) / "README.md"
    text = readme.read_text()
    readme.write_text(text[:text.index(HEAD)] + table(readme.parent))

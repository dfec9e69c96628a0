#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Validates strict JSON files against a JSON Schema: validate.py SCHEMA FILE...; one line per invalid file, exit 1."""

import json
import math
import sys

from jsonschema import Draft202012Validator


def refuse(constant):
    raise ValueError(f"{constant} is not JSON")


def finite(digits):
    if math.isinf(float(digits)):
        raise ValueError(f"{digits} is not finite")
    return float(digits)


def strict(text):
    return json.loads(text, parse_constant=refuse, parse_float=finite)


def validator(schema_file):
    with open(schema_file, encoding="utf-8") as file:
        schema = json.load(file)
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def fault(checker, text):
    """Why the text is invalid, None when it is valid."""
    try:
        document = strict(text)
    except ValueError as error:
        return str(error)
    error = next(iter(sorted(checker.iter_errors(document), key=lambda e: list(map(str, e.path)))), None)
    return error and "/" + "/".join(map(str, error.path)) + ": " + error.message


def main(schema_file, *files):
    checker = validator(schema_file)
    invalid = 0
    for name in files:
        with open(name, encoding="utf-8") as file:
            found = fault(checker, file.read())
        if found:
            print(f"{name}: {found}")
            invalid = 1
    return invalid


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))

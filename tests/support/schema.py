# SPDX-License-Identifier: Apache-2.0
"""Holds documents to muster's schemas by two validators that are not ours: fastjsonschema, which is quick, decides, and
jsonschema says what is wrong."""
import json
import pathlib

import fastjsonschema

# Of 2020-12 our schemas have only what is the same in draft 7, the newest that fastjsonschema knows.
QUICK_DRAFT = "http://json-schema.org/draft-07/schema#"


class Invalid(ValueError):
    """A document that its schema refuses."""


class Schema:
    def __init__(self, file):
        self.schema = json.loads(pathlib.Path(file).read_text(encoding="utf-8"))
        self.quick = fastjsonschema.compile({**self.schema, "$schema": QUICK_DRAFT})

    def quick_fault(self, document):
        try:
            self.quick(document)
        except fastjsonschema.JsonSchemaException as error:
            return error.message
        return None

    def exact_fault(self, document):
        from jsonschema import Draft202012Validator  # takes longer to load than most documents to check
        Draft202012Validator.check_schema(self.schema)
        errors = Draft202012Validator(self.schema).iter_errors(document)
        first = min(errors, key=lambda error: list(map(str, error.path)), default=None)
        return first and "/" + "/".join(map(str, first.path)) + ": " + first.message

    def fault(self, document):
        """Why it is invalid, None when it is valid."""
        found = self.quick_fault(document)
        return found and (self.exact_fault(document) or found)

    def validate(self, document):
        if found := self.fault(document):
            raise Invalid(found)

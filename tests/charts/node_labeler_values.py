# SPDX-License-Identifier: Apache-2.0
"""Values of the chart node-labeler that its schema refuses, and some that it takes."""
import shared_values

# A wrong value, of the right type where there is one, for each value of the schema that is no object with fields of its own:
# those of the charts, and its own. "[]" is an element of an array, "*" a field that a pattern names.
WRONG = shared_values.WRONG_OF_DAEMON_SETS | {
    "prefix": "node.kubernetes.io",
    "hypervFolder": "var/lib/hyperv",
    "restrict": "yes",
}
# A field that a pattern of the schema takes, and one that it does not.
FIELDS = shared_values.FIELDS_OF_DAEMON_SETS
RIGHT = shared_values.RIGHT_OF_DAEMON_SETS + [
    {"prefix": "host.example"}, {"prefix": "kubernetes.io.example"}, {"hypervFolder": "/mnt/hyperv-1"}, {"restrict": False},
]
# Beside each choice of the schema, and the fields without a default.
WITH_CHOICES = {}
NO_DEFAULT = {"": {"global"}}

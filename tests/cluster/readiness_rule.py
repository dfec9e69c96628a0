# SPDX-License-Identifier: Apache-2.0
"""The kind NodeReadinessRule of node-readiness-controller, as an API server is told of it, and as it is published."""
import hashlib
import os
import pathlib
import urllib.request

import yaml

KIND = yaml.safe_load(pathlib.Path(__file__).with_suffix(".yaml").read_text())
PUBLISHED = ("https://raw.githubusercontent.com/kubernetes-sigs/node-readiness-controller/704b65442f11cce0a4f629a48bb2305087906d44/"
             "config/crd/bases/readiness.node.x-k8s.io_nodereadinessrules.yaml")  # v0.5.0
SHA256 = "9e163706d57ca535b60b274ad3f420e694e3946f41e5e5e5f16a61bffb45db9a"


def published():
    """The published kind, from the file that MUSTER_READINESS_RULE names or from GitHub; an OSError where that is not within reach."""
    given = os.environ.get("MUSTER_READINESS_RULE")
    if given:
        data = pathlib.Path(given).read_bytes()
    else:
        with urllib.request.urlopen(PUBLISHED, timeout=20) as answer:
            data = answer.read(1 << 20)
    assert hashlib.sha256(data).hexdigest() == SHA256, "the published schema is not the one that it was"
    return yaml.safe_load(data)


def spec_of(kind):
    """What it demands of a rule, without what only people read."""
    def bare(tree):
        if isinstance(tree, list):
            return [bare(each) for each in tree]
        if isinstance(tree, dict):
            return {key: bare(value) for key, value in tree.items() if key != "description" or not isinstance(value, str)}
        return tree

    version, = kind["spec"]["versions"]
    schema = version["schema"]["openAPIV3Schema"]
    return kind["metadata"]["name"], kind["spec"]["group"], kind["spec"]["names"], kind["spec"]["scope"], version["name"], \
        schema["required"], bare(schema["properties"]["spec"])

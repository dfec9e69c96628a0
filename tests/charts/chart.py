# SPDX-License-Identifier: Apache-2.0
"""The charts as Helm renders them. Helm is $MUSTER_HELM, else the one in PATH, else the one that tests/cluster/build.sh has
built; without any, the tests end with 77, which ctest calls skipped, and a sentence."""
import concurrent.futures
import functools
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
from typing import NamedTuple

import yaml

Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # where YAML has its library, it is ten times as fast
SOURCE = pathlib.Path(os.environ["MUSTER_SOURCE"])
CHART = SOURCE / "charts/allreduce"
HEALTHCHECK = SOURCE / "charts/healthcheck"
LABELER = SOURCE / "charts/node-labeler"
SCRATCH = SOURCE / "charts/local-nvme-scratch"
BUILD = SOURCE / "tests/cluster/build.sh"


def program(name, variable):
    """Where a program is; ends the test where it is nowhere."""
    found = os.environ.get(variable) or shutil.which(name)
    if not found:
        built = subprocess.run([BUILD, "--cached", name], capture_output=True, text=True, check=False)
        if built.returncode != 0:
            print(f"skipped: {name} is neither in PATH nor ${variable}, and {built.stderr.strip()}")
            sys.exit(77)
        found = f"{built.stdout.strip()}/bin/{name}"
    return found


HELM = program("helm", "MUSTER_HELM")


@functools.cache
def parsed(text):
    return [document for document in yaml.load_all(text, Loader) if document]


class Rendered(NamedTuple):
    code: int
    text: str
    problem: str

    @property
    def documents(self):
        assert self.code == 0, self.problem
        return parsed(self.text)

    def named(self, kind):
        """The documents of a kind, by their names."""
        return {document["metadata"]["name"]: document for document in self.documents if document["kind"] == kind}

    def of_kind(self, kind):
        """The only document of a kind."""
        found, = self.named(kind).values()
        return found

    @property
    def job(self):
        found, = (job for name, job in self.named("Job").items() if not name.endswith("-withdraw"))
        return found

    @property
    def pods(self):
        """What each pod is made of, by its task; a plain Job's is "launcher"."""
        job = self.job
        tasks = job["spec"].get("tasks") or [{"name": "launcher", "template": job["spec"]["template"]}]
        return {task["name"]: task["template"] for task in tasks}


def helm(*words, **options):
    return subprocess.run([HELM, *map(str, words)], capture_output=True, text=True, check=False,
                          stdin=subprocess.DEVNULL, **options)


def schema(chart):
    return json.loads((chart / "values.schema.json").read_text())


def render(values=None, *words, release="allreduce", chart=CHART):
    """`helm template` with values, which may have any shape."""
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(values or {}, file)
        file.flush()
        run = helm("template", release, chart, "--values", file.name, *words)
    return Rendered(run.returncode, run.stdout, run.stderr)


def render_all(values, **options):
    """One after the other, made side by side."""
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        yield from zip(values, pool.map(functools.partial(render, **options), values))


def nested(path, value):
    """{"a": {"b": value}} of "a.b"; "[]" is the first element of an array."""
    for word in reversed(path.split(".")):
        value = [value] if word == "[]" else {word: value}
    return value

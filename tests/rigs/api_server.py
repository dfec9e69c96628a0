# SPDX-License-Identifier: Apache-2.0
"""An API server of Kubernetes that plays what a test wants of it, by TLS with an authority of its own."""
import http.server
import json
import pathlib
import ssl
import subprocess
import threading
import time
import urllib.parse

JOBS = "/apis/batch.volcano.sh/v1alpha1/namespaces/bench/jobs/allreduce-1"
CORE_JOBS = "/apis/batch/v1/namespaces/bench/jobs/allreduce-1"
GROUPS = "/apis/scheduling.volcano.sh/v1beta1/namespaces/bench/podgroups/"
COMMANDS = "/apis/bus.volcano.sh/v1alpha1/namespaces/bench/commands"
NODES = "/api/v1/nodes/"
PODS = "/api/v1/namespaces/bench/pods"
EVENTS = "/api/v1/namespaces/default/events"
UID = "8c1f0c53-5be7-4fd5-9f55-9ce1b3d1a3c4"


def openssl(folder, *arguments):
    subprocess.run(["openssl", *arguments], cwd=folder, check=True, capture_output=True)


class Authority:
    """Makes its own certificate, NAME.crt, and those of others."""

    def __init__(self, folder, name="ca"):
        self.folder, self.name = pathlib.Path(folder), name
        openssl(folder, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
                "-subj", f"/CN={name}", "-keyout", f"{name}.key", "-out", f"{name}.crt")

    @property
    def certificate(self):
        return self.folder / f"{self.name}.crt"

    def sign(self, name, address="IP:127.0.0.1"):
        openssl(self.folder, "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", f"/CN={name}",
                "-keyout", f"{name}.key", "-out", f"{name}.csr")
        (self.folder / f"{name}.ext").write_text(f"subjectAltName={address}\n")
        openssl(self.folder, "x509", "-req", "-in", f"{name}.csr", "-CA", f"{self.name}.crt", "-CAkey", f"{self.name}.key",
                "-CAcreateserial", "-days", "2", "-extfile", f"{name}.ext", "-out", f"{name}.crt")
        return self.folder / f"{name}.crt", self.folder / f"{name}.key"


class World:
    """What there is in the cluster. Each of job, launchers, workers, group and withdraws (the pods that are to withdraw the job)
    may be a function of the seconds since the first request. `commands` are those that were given to Volcano, `patches` what
    nodes were changed by. `trouble(path, number)` may return a status, or (status, body), or a word of Handler.trouble for a
    request."""

    def __init__(self, job=None, launchers=(), workers=(), group=None, trouble=None, core=False, token="secret", page=200,
                 withdraws=(), nodes=()):
        self.job, self.launchers, self.workers, self.group, self.withdraws = job, launchers, workers, group, withdraws
        self.trouble = trouble or (lambda path, number: None)
        self.core, self.token, self.page = core, token, page
        self.requests = []
        self.commands = []
        self.patches = []
        self.events = []
        self.statuses = []
        self.nodes = {NODES + node["metadata"]["name"]: node for node in nodes}
        self.start = None

    def now(self, what):
        return what(time.monotonic() - self.start) if callable(what) else what

    def create(self, path, thing):
        made = {COMMANDS: self.commands, EVENTS: self.events}.get(path)
        if made is None:
            return 404, "404 page not found\n"
        if thing["metadata"]["name"] in [each["metadata"]["name"] for each in made]:
            return 409, status(409, "it exists already", "AlreadyExists")
        made.append(thing)
        return 201, thing

    def patch(self, path, changes):
        """As a strategic merge patch changes a node: maps of texts by their names, taints as a whole, conditions by their types."""
        if path.endswith("/status") and path.removesuffix("/status") in self.nodes:
            node = self.nodes[path.removesuffix("/status")]
            self.statuses.append(changes)
            conditions = node.setdefault("status", {}).setdefault("conditions", [])
            for changed in changes["status"]["conditions"]:
                conditions[:] = [each for each in conditions if each["type"] != changed["type"]] + [changed]
            return 200, node
        if path not in self.nodes:
            return 404, status(404, f"{path} not found")
        node = self.nodes[path]
        version = changes["metadata"].pop("resourceVersion", node["metadata"].get("resourceVersion"))
        if version != node["metadata"].get("resourceVersion"):
            return 409, status(409, "the object has been modified; please apply your changes to the latest version")
        self.patches.append(changes)
        for kind, texts in changes["metadata"].items():
            present = node["metadata"].setdefault(kind, {})
            present.update(texts)
            node["metadata"][kind] = {name: value for name, value in present.items() if value is not None}
        node.setdefault("spec", {}).update(changes.get("spec", {}))
        return 200, node

    def list_nodes(self, query):
        """One on each page, as few as there can be."""
        selector = query.get("labelSelector")
        items = [node for node in self.nodes.values() if not selector or selector in node["metadata"]["labels"]]
        first = int(query.get("continue", 0))
        more = {"continue": str(first + 1)} if first + 1 < len(items) else {}
        return {"kind": "NodeList", "apiVersion": "v1", "metadata": more, "items": items[first:first + 1]}

    def answer(self, path, query):
        if path == NODES.rstrip("/"):
            return 200, self.list_nodes(query)
        if path.startswith(NODES):
            return self.one(self.nodes.get(path), "nodes")
        if path == (CORE_JOBS if self.core else JOBS):
            return self.one(self.now(self.job), "jobs")
        if path.startswith(GROUPS):
            return self.one(self.now(self.group) if path == f"{GROUPS}allreduce-1-{UID}" else None, "podgroups")
        if path == PODS:
            return 200, self.pods(query)
        return 404, "404 page not found\n"

    @staticmethod
    def one(thing, kind):
        return (200, thing) if thing else (404, status(404, f'{kind} "allreduce-1" not found'))

    def pods(self, query):
        selector = query.get("labelSelector", "")
        wanted = {"volcano.sh/job-name=allreduce-1,volcano.sh/task-spec=launcher": self.launchers,
                  f"batch.kubernetes.io/controller-uid={UID}": self.launchers,
                  "volcano.sh/job-name=allreduce-1,volcano.sh/task-spec!=launcher": self.workers,
                  "job-name=allreduce-1-withdraw": self.withdraws}[selector]
        first, items = int(query.get("continue", 0)), list(self.now(wanted))
        page = {"kind": "PodList", "apiVersion": "v1", "metadata": {}, "items": items[first:first + self.page]}
        if first + self.page < len(items):
            page["metadata"]["continue"] = str(first + self.page)
        return page


def status(code, message, reason=""):
    return {"kind": "Status", "apiVersion": "v1", "status": "Failure", "message": message, "code": code, "reason": reason}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # or every answer waits 40 ms, because its head and its body are written apart

    def log_message(self, *_):
        pass

    def do_GET(self):
        self.respond(lambda path, query: self.server.world.answer(path, dict(urllib.parse.parse_qsl(query))))

    def do_POST(self):
        sent = self.rfile.read(int(self.headers["Content-Length"]))
        self.respond(lambda path, _: self.server.world.create(path, json.loads(sent)))

    def do_DELETE(self):
        self.respond(lambda path, _: self.server.world.delete(path))

    def do_PATCH(self):
        sent = self.rfile.read(int(self.headers["Content-Length"]))
        if self.headers["Content-Type"] != "application/strategic-merge-patch+json" or "fieldManager=muster-" not in self.path:
            self.send(415, status(415, "no such patch"))
        else:
            self.respond(lambda path, _: self.server.world.patch(path, json.loads(sent)))

    def respond(self, answer):
        world = self.server.world
        path, _, query = self.path.partition("?")
        world.start = world.start or time.monotonic()
        world.requests.append(path)
        trouble = world.trouble(path, len(world.requests))
        if isinstance(trouble, str):
            getattr(self, trouble)()
        elif self.headers.get("Authorization") != (f"Bearer {world.token}" if world.token else None):
            self.send(401, status(401, "Unauthorized"))
        elif isinstance(trouble, tuple):
            self.send(*trouble)
        elif trouble:
            self.send(trouble, status(trouble, f"trouble {trouble}"))
        else:
            self.send(*answer(path, query))

    def send(self, code, body, length=None, headers=()):
        data = body.encode() if isinstance(body, str) else json.dumps(body).encode()
        self.send_response(code)
        self.send_header("Content-Length", str(len(data) if length is None else length))
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def hang(self):
        self.server.over.wait()
        self.close_connection = True

    def reset(self):
        self.close_connection = True

    def cut(self):
        self.send(200, '{"kind": "Job", "metadata": {"name"', length=100000)
        self.close_connection = True

    def redirect(self):
        self.send(302, "", headers=[("Location", f"https://127.0.0.1:{self.server.server_port}{self.path}")])

    def huge(self):
        self.send_response(200)
        self.end_headers()
        self.close_connection = True
        for _ in range(4096):
            self.wfile.write(b" " * 65536)


class Quiet(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, world, certificate, key, clients):
        super().__init__(("127.0.0.1", 0), Handler)
        self.world, self.over = world, threading.Event()
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(certificate, key)
        if clients:
            self.context.load_verify_locations(clients)
            self.context.verify_mode = ssl.CERT_REQUIRED

    def finish_request(self, request, client_address):  # in the request's own thread, so that no handshake holds up another
        with self.context.wrap_socket(request, server_side=True) as secured:
            super().finish_request(secured, client_address)

    def handle_error(self, *_):
        pass  # a client that refuses the certificate, or goes away


class Server:
    def __init__(self, world, certificate, key, clients=None):
        self.world = world
        self.server = Quiet(world, certificate, key, clients)
        self.url = f"https://127.0.0.1:{self.server.server_port}"
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True)
        self.thread.start()

    def close(self):
        self.server.over.set()
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()

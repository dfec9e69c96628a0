# SPDX-License-Identifier: Apache-2.0
"""Programs of others that serve metrics, and questions to them."""
import contextlib
import socket
import subprocess
import time
import urllib.request


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextlib.contextmanager
def serving(*command):
    """A program that serves metrics on a port of its own, in the place of PORT among its words."""
    port = free_port()
    words = [str(word).replace("PORT", str(port)) for word in command]
    with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            for _ in range(200):
                with contextlib.suppress(OSError):
                    answer(f"http://127.0.0.1:{port}/metrics")
                    break
                time.sleep(0.05)
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()


def answer(url, body=None, method="GET"):
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    request = urllib.request.Request(url, data=body, method=method)
    with opener.open(request, timeout=20) as reply:
        return reply.read().decode()

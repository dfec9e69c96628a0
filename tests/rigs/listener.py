# SPDX-License-Identifier: Apache-2.0
"""A listener of webhooks that plays what a test wants: by plain HTTP or by TLS."""
import base64
import hashlib
import hmac
import http.server
import json
import ssl
import threading
import time


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, *_):
        pass

    def body(self):
        if "Content-Length" in self.headers:
            return self.rfile.read(int(self.headers["Content-Length"]))
        parts = []  # chunked, as curl sends what comes from a pipe
        while length := int(self.rfile.readline(), 16):
            parts.append(self.rfile.read(length))
            self.rfile.readline()
        self.rfile.readline()
        return b"".join(parts)

    def do_GET(self):
        self.server.listener.others.append(self.path)
        self.send(404)

    def do_POST(self):
        listener = self.server.listener
        with listener.lock:
            listener.posts.append((self.path, dict(self.headers.items()), self.body(), time.monotonic()))
            number = len(listener.posts)
        listener.came.set()
        plays = listener.plays
        play = plays[min(number, len(plays)) - 1]
        if callable(play):
            play(self)
        elif isinstance(play, tuple):
            self.send(*play)
        else:
            self.send(play)

    do_PUT = do_POST

    def send(self, code, headers=(), body=b""):
        self.send_response(code)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def hang(self):
        self.server.listener.over.wait()
        self.close_connection = True

    def slow(self):
        time.sleep(0.7)
        self.send(200)

    def drop(self):
        self.close_connection = True

    def endless(self):
        self.send_response(200)
        self.end_headers()
        self.close_connection = True
        for _ in range(4096):
            self.server.listener.sent += self.wfile.write(b" " * 65536)

    def endless_head(self):
        self.wfile.write(b"HTTP/1.1 200 OK\r\n")
        self.close_connection = True
        for number in range(1 << 16):
            self.server.listener.sent += self.wfile.write(b"X-%d: %s\r\n" % (number, b"x" * 1000))


class Quiet(http.server.ThreadingHTTPServer):
    daemon_threads = True
    context = None

    def finish_request(self, request, client_address):
        if not self.context:
            return super().finish_request(request, client_address)
        with self.context.wrap_socket(request, server_side=True) as secured:
            super().finish_request(secured, client_address)
        return None

    def handle_error(self, *_):
        pass  # a client that goes away


class Listener:
    """`plays` says what becomes of each POST, the last of all further ones: a status, or (status, headers, body), or a function of
    the handler. `posts` are those that came: (path, headers, body, when)."""

    def __init__(self, *plays, pair=None):
        self.plays = plays or (200,)
        self.posts, self.others, self.sent = [], [], 0
        self.lock, self.over, self.came = threading.Lock(), threading.Event(), threading.Event()
        self.server = Quiet(("127.0.0.1", 0), Handler)
        self.server.listener = self
        if pair:
            self.server.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self.server.context.load_cert_chain(*pair)
        self.url = f"http{'s' if pair else ''}://127.0.0.1:{self.server.server_port}/hook/SECRET-IN-PATH?sig=SECRET-IN-QUERY"
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True)
        self.thread.start()

    def close(self):
        self.over.set()
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()


def events(listener):
    return [json.loads(body) for _, _, body, _ in listener.posts]


def is_signed(post, key):
    """By Standard Webhooks, with Python's own HMAC."""
    _, headers, body, _ = post
    text = b".".join((headers["webhook-id"].encode(), headers["webhook-timestamp"].encode(), body))
    return headers["webhook-signature"] == "v1," + base64.b64encode(hmac.new(key, text, hashlib.sha256).digest()).decode()

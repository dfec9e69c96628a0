# SPDX-License-Identifier: Apache-2.0
"""Logs of the kernel as programs write them: each function gives the bytes of a file for messages and their seconds
after a boot at BOOT."""
import datetime
import gzip
import json
import lzma
import struct

BOOT = datetime.datetime(2025, 6, 11, 2, 15, 2, tzinfo=datetime.timezone.utc)


def _date(seconds):
    return BOOT + datetime.timedelta(seconds=seconds)


def _lines(front):
    return lambda said: "".join(front(seconds) + text + "\n" for seconds, text in said).encode()


def _iso(seconds, mark="."):
    return _date(seconds).strftime(f"%Y-%m-%dT%H:%M:%S{mark}%f")


def ring(said):
    return "".join(f"6,{number},{int(seconds * 1e6)},-,caller=T{number % 99};{text}\n SUBSYSTEM=pci\n DEVICE=+pci:0\n"
                   for number, (seconds, text) in enumerate(said)).encode()


def journal(said):
    return "".join(json.dumps({"__REALTIME_TIMESTAMP": str(int(_date(seconds).timestamp() * 1e6)), "_TRANSPORT": "kernel",
                               "_SOURCE_MONOTONIC_TIMESTAMP": str(int(seconds * 1e6)), "_BOOT_ID": "0a1b",
                               "SYSLOG_IDENTIFIER": "kernel", "MESSAGE": text}) + "\n" for seconds, text in said).encode()


def journal_bytes(said):
    return "".join(json.dumps({"_TRANSPORT": "kernel", "MESSAGE": list(text.encode())}) + "\n" for _, text in said).encode()


PROGRAM = "_TRANSPORT=syslog\nSYSLOG_IDENTIFIER=python3\nMESSAGE=NVRM: Xid (PCI:0000:ff:00): 79, as a program quotes it"


def journal_export(said):
    """Every other message as bytes with their length, and behind each entry one of a program."""
    entries = []
    for number, (seconds, text) in enumerate(said):
        message = f"MESSAGE={text}".encode() if number % 2 else b"MESSAGE\n" + struct.pack("<Q", len(text.encode())) + text.encode()
        entries += [f"__CURSOR=s=5c;i={2 * number}\n__REALTIME_TIMESTAMP={int(_date(seconds).timestamp() * 1e6)}\n_BOOT_ID=0a1b\n"
                    .encode() + message + b"\n_TRANSPORT=kernel\nSYSLOG_IDENTIFIER=kernel\n",
                    f"__CURSOR=s=5c;i={2 * number + 1}\n_BOOT_ID=0a1b\n{PROGRAM}\n".encode()]
    return b"\n".join(entries) + b"\n"


def journal_verbose(said):
    program = "    " + PROGRAM.replace("\n", "\n    ")
    return "".join(
        (header := _date(seconds).strftime("%a %Y-%m-%d %H:%M:%S.%f UTC")
         + f" [s=5c;i=1;b=0a1b;m=4e;t={int(_date(seconds).timestamp() * 1e6):x};x=22]\n")
        + f"    PRIORITY=6\n    MESSAGE={text}\n    _TRANSPORT=kernel\n    _BOOT_ID=0a1b\n{header}{program}\n"
        for seconds, text in said).encode()


def dmesg_json(said):
    return json.dumps({"dmesg": [{"pri": 6, "time": seconds, "msg": text + "\n"} for seconds, text in said]},
                      indent=3).encode()


def docker(said):
    return "".join(json.dumps({"log": f"[{seconds:12.6f}] {text}\n", "stream": "stdout", "time": _iso(seconds) + "Z"}) + "\n"
                   for seconds, text in said).encode()


DMESG = _lines(lambda seconds: f"[{seconds:12.6f}] ")
FRONTS = {
    "dmesg": DMESG,
    "the ring": ring,
    "dmesg -T": _lines(lambda seconds: _date(seconds).strftime("[%a %b %e %H:%M:%S %Y] ")),
    "dmesg -x": _lines(lambda seconds: f"kern  :err   : [{seconds:12.6f}] "),
    "dmesg -d": _lines(lambda seconds: f"[{seconds:12.6f} <    0.000001>] "),
    "dmesg --time-format iso": _lines(lambda seconds: _iso(seconds, ",") + "+00:00 "),
    "dmesg -J": dmesg_json,
    "dmesg --color": _lines(lambda seconds: f"\x1b[32m[{seconds:12.6f}] \x1b[0m"),
    "CONFIG_PRINTK_CALLER": _lines(lambda seconds: f"[{seconds:12.6f}][ T1234] "),
    "RFC 3164": _lines(lambda seconds: _date(seconds).strftime("<4>%b %e %H:%M:%S node-7 kernel: ")),
    "syslog with both times": _lines(lambda seconds: _date(seconds).strftime("%b %e %H:%M:%S node-7 kernel: ")
                                     + f"[{seconds:12.6f}] "),
    "RFC 5424": _lines(lambda seconds: f"<4>1 {_iso(seconds)}Z node-7 kernel - - - "),
    "journalctl -o short-iso": _lines(lambda seconds: _date(seconds).strftime("%Y-%m-%dT%H:%M:%S+0000 node-7 kernel: ")),
    "journalctl -o short-monotonic": _lines(lambda seconds: f"[{seconds:12.6f}] node-7 kernel: "),
    "journalctl -o json": journal,
    "journalctl -o json, as bytes": journal_bytes,
    "journalctl -o export": journal_export,
    "journalctl -o verbose": journal_verbose,
    "journalctl -o short-delta": _lines(lambda seconds: f"[{seconds:12.6f} <    0.000001 >] node-7 kernel: "),
    "CRI": _lines(lambda seconds: f"{_iso(seconds)}Z stdout F [{seconds:12.6f}] "),
    "docker": docker,
    "kubectl --prefix": _lines(lambda seconds: f"[pod/logs-x2/dmesg] [{seconds:12.6f}] "),
    "Talos": _lines(lambda seconds: f"10.0.0.9: kern:    info: [{_iso(seconds)}Z]: "),
    "CRLF": lambda said: DMESG(said).replace(b"\n", b"\r\n"),
    "UTF-16": lambda said: DMESG(said).decode().encode("utf-16"),
    "gzip": lambda said: gzip.compress(DMESG(said)),
    "xz": lambda said: lzma.compress(DMESG(said)),
}

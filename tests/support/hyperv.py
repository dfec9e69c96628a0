# SPDX-License-Identifier: Apache-2.0
"""Pools of Hyper-V's key-value pair daemon."""


def record(key, value, dirt=b"old\xff"):
    """What follows a NUL is of older, longer texts and means nothing."""
    fields = ((key, 512), (value, 2048))
    return b"".join((text.encode() + b"\0" + dirt)[:size].ljust(size, b"\0") for text, size in fields)


def pool(**values):
    return b"".join(record(key, value) for key, value in values.items())

# SPDX-License-Identifier: Apache-2.0
"""Samples of cases that take long, of which `./muster test --all` runs all."""
import os
import random

IS_WHOLE = "MUSTER_WHOLE" in os.environ


def drawn(count, cases):
    """So many of the cases, drawn anew each time; all of them where they are to be run whole."""
    return cases if IS_WHOLE else random.sample(cases, count)

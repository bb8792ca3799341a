"""Inspects files like `fleet`, but hangs, runs out of memory, crashes or raises an exception on some special files."""

import os
import signal
from pathlib import Path

import fleet

inspect_file = fleet.inspect


def inspect(path, *arguments):
    content = Path(path).read_bytes()
    if content == b"hostile endless":
        while True:
            pass
    if content == b"hostile greedy":
        return len(bytearray(1 << 40))
    if content == b"hostile fatal":
        os.kill(os.getpid(), signal.SIGSEGV)
    if content == b"hostile wrong":
        raise TypeError("a bug")
    return inspect_file(path, *arguments)


fleet.inspect = inspect
serve, Options = fleet.serve, fleet.Options

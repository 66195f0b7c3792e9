"""What this process holds in memory and held at most, in MB; on Linux, elsewhere 0."""

from __future__ import annotations

import ctypes
import gc
from pathlib import Path

STATUS = Path("/proc/self/status")
RESET = Path("/proc/self/clear_refs")
KILOBYTES = 1024.0  # in a megabyte


def start_watching() -> float:
    """Give back what loading the data has left free, forget the peak so far, and return what is held now.

    A library that takes what was left free would seem to need less than it does.
    """
    gc.collect()
    if RESET.exists():
        library = ctypes.CDLL(None)
        if hasattr(library, "malloc_trim"):  # glibc
            library.malloc_trim(0)
        RESET.write_text("5")
    return _held("VmRSS")


def peak() -> float:
    # Not ru_maxrss: that starts at what the parent process had when it forked.
    return _held("VmHWM")


def _held(key: str) -> float:
    lines = STATUS.read_text().splitlines() if STATUS.exists() else []
    return next((float(line.split()[1]) for line in lines if line.startswith(f"{key}:")), 0.0) / KILOBYTES

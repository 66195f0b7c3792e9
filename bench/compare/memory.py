"""What this process holds in memory and held at most, in MB; on Linux, elsewhere 0."""

from __future__ import annotations

from pathlib import Path

STATUS = Path("/proc/self/status")
RESET = Path("/proc/self/clear_refs")
KILOBYTES = 1024.0  # in a megabyte


def start_watching() -> float:
    """Forget the peak so far, of loading the data for one, and return what is held now."""
    if RESET.exists():
        RESET.write_text("5")
    return _held("VmRSS")


def peak() -> float:
    # Not ru_maxrss: that starts at what the parent process had when it forked.
    return _held("VmHWM")


def _held(key: str) -> float:
    lines = STATUS.read_text().splitlines() if STATUS.exists() else []
    return next((float(line.split()[1]) for line in lines if line.startswith(f"{key}:")), 0.0) / KILOBYTES

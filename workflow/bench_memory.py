"""The most memory that a process had, for the benchmarks."""

import resource
import sys
from pathlib import Path

STATUS = Path("/proc/self/status")  # of Linux


def peak() -> int:
    """Megabytes at most resident in this process until now.

    Linux hands the `ru_maxrss` of a parent on to the program that it starts; VmHWM begins anew.
    """
    if STATUS.exists():
        (line,) = [line for line in STATUS.read_text().splitlines() if line.startswith("VmHWM")]
        return int(line.split()[1]) // 1024
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most // (1 << 20 if sys.platform == "darwin" else 1 << 10)

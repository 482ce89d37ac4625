"""Where cwr reads and writes outside the repository: three environment variables, read here only."""
import os
from pathlib import Path

import platformdirs


def cache_root() -> Path:
    """Folder of everything that can be made again: CWR_CACHE, else the user's cache folder. Deleting it is safe."""
    named = os.environ.get("CWR_CACHE")
    return Path(named).expanduser() if named else Path(platformdirs.user_cache_dir("cwr"))


def data_roots() -> list[Path]:
    """Folders named in CWR_DATA (separated as in PATH), in which data files are looked for before any download."""
    named = os.environ.get("CWR_DATA", "")
    return [Path(part).expanduser() for part in named.split(os.pathsep) if part]


def cache_limit() -> float:
    """Bytes that cached extractions may take: CWR_CACHE_GB gigabytes, else 20. ValueError if it is none."""
    named = os.environ.get("CWR_CACHE_GB") or "20"
    limit = float(named) * 1e9
    if not limit >= 0:                                       # refuses NaN too
        raise ValueError(f"{named} is not a size")
    return limit

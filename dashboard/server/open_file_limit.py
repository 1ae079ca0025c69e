"""The limit of open files: each reader takes up to a dozen, mostly sockets."""

import sys
from contextlib import suppress

try:
    import resource
except ImportError:  # Windows has no such limit
    resource = None  # type: ignore[assignment]

# A class of 300 readers needs about as many.
WANTED_OPEN_FILES = 4096
# macOS refuses more than this, even if it names a higher limit.
MOST_ON_MACOS = 10_240


def raise_limit() -> None:
    """Let the process open as many files as the system allows it, and print a line if that is too few for a class."""
    if resource is None:
        return
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    for limit in (most, MOST_ON_MACOS):
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (limit, most))
            break
    allowed, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if 0 <= allowed < WANTED_OPEN_FILES:  # "no limit" is negative on some systems
        print(
            f"Cellscope may open at most {allowed} files at once, which is too few for a large class. "
            f"Raise the hard limit to {WANTED_OPEN_FILES} or more, for example with `docker run --ulimit nofile=20000`.",
            file=sys.stderr,
            flush=True,
        )

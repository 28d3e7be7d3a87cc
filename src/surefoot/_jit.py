"""The one way to compile a kernel.

Numba's cache looks at the source file of a kernel alone: a cached caller does not notice that a callee in
another file has changed. The cache therefore lives in a folder named by a hash of every kernel's source,
so that a change anywhere starts afresh. It lies under the user's cache folder because an installed
package may be read-only.
"""

import hashlib
import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numba
import platformdirs
from numba.np import arrayobj

from surefoot import __version__

# Any: Numba fills its configuration from the environment, which no type checker sees.
config: Any = numba.config

# Modes that change the compiled code without changing the sources.
_MODES = ("BOUNDSCHECK", "DISABLE_JIT", "OPT", "DEBUG_JIT")


@cache
def cache_dir() -> Path:
    """The folder of this version's compiled kernels; ``SUREFOOT_CACHE_DIR`` moves it."""
    package = Path(__file__).parent
    digest = hashlib.sha256(f"{__version__} {numba.__version__}".encode())
    for mode in _MODES:
        digest.update(f" {mode}={getattr(config, mode, None)}".encode())
    for source in sorted([Path(__file__), *package.glob("*/kernels/*.py")]):
        digest.update(source.name.encode() + source.read_bytes())
    base = os.environ.get("SUREFOOT_CACHE_DIR") or platformdirs.user_cache_dir("surefoot")
    return Path(base) / f"kernels-{digest.hexdigest()[:16]}"


def is_warm() -> bool:
    """Whether compiled kernels of exactly these sources are in the cache already."""
    return any(cache_dir().rglob("*.nbi"))


_PREFIX = "_ZN8surefoot"
"""How the names of this package's functions begin in compiled code."""


def _trust_indices(module: Any) -> None:
    """Let an index in a kernel mean what it says, where Python would count a negative one from the end.

    Kernels have none that is negative (with ``NUMBA_BOUNDSCHECK=1`` that is an error), but Numba cannot know
    it, and pays a comparison and a choice for every signed index: a third of the time of a search. There is
    no option against it, so Numba's own function is wrapped; what others compile stays as it is.
    """
    fix_index = module.fix_integer_index

    def fix_integer_index(context: Any, builder: Any, index_type: Any, index: Any, size: Any) -> Any:
        if builder.function.name.startswith(_PREFIX):
            return context.cast(builder, index, index_type, numba.types.intp)
        return fix_index(context, builder, index_type, index, size)

    module.fix_integer_index = fix_integer_index


if hasattr(arrayobj, "fix_integer_index"):  # without it kernels are slower, and nothing else
    _trust_indices(arrayobj)


def kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile ``function`` on its first call, or load it from the cache; it runs without the GIL."""
    return _compile(function, forceinline=False)


def inlined(function: Callable[..., Any]) -> Callable[..., Any]:
    """The same for a small function that is called very often: its code is copied into its callers.

    A call with a handful of arrays costs some ten nanoseconds, more than many a helper does.
    """
    return _compile(function, forceinline=True)


def _compile(function: Callable[..., Any], *, forceinline: bool) -> Callable[..., Any]:
    # Numba reads CACHE_DIR at the moment of decoration; set only then, so that another package's
    # kernels in the same process keep their own place.
    before = config.CACHE_DIR
    config.CACHE_DIR = str(cache_dir())
    # Kernels never allocate, so they need no reference counts (`_nrt`); with them each view of an array
    # costs two atomic operations, a third of the time of a whole game. Nor do they divide by zero, and need
    # no test of it (`error_model`).
    options: dict[str, Any] = {
        "cache": True,
        "nogil": True,
        "forceinline": forceinline,
        "error_model": "numpy",
        "_nrt": False,
    }
    try:
        compiled: Callable[..., Any] = numba.njit(**options)(function)
    finally:
        config.CACHE_DIR = before
    return compiled

"""Workers on many machines: a Dask cluster, by its `concurrent.futures` executor."""

from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from typing import Any, NamedTuple

from surefoot.errors import FormatError

_PATIENCE = 30
"""Seconds to wait for the scheduler, and for its first worker."""


class Cluster(NamedTuple):
    """An executor, and how many pieces of work it can do at a time."""

    executor: Executor
    workers: int


@contextmanager
def connected(address: str) -> Iterator[Cluster]:
    """The workers of the scheduler at ``address``, such as ``tcp://10.0.0.1:8786``.

    Raises:
        FormatError: Dask is not installed, or nobody answers there, or no worker comes.
    """
    try:
        import distributed
    except ModuleNotFoundError:
        raise FormatError("a cluster needs Dask: pip install 'surefoot[cluster]'") from None
    connect: Any = distributed.Client  # which has no types
    try:
        client: Any = connect(address, timeout=_PATIENCE, set_as_default=False)
    except (OSError, ValueError) as error:
        words = " ".join(str(error).split())[:200]
        raise FormatError(f"cluster {address}: nobody answers: {words}") from None
    with client:
        try:
            client.wait_for_workers(1, timeout=_PATIENCE)
        except TimeoutError:
            raise FormatError(f"cluster {address}: it has no workers") from None
        # What a worker dies of may be no fault of the piece it had: Dask hands that on to another, thrice.
        yield Cluster(
            client.get_executor(pure=False), max(1, len(client.scheduler_info(n_workers=-1)["workers"]))
        )


def is_death(error: BaseException) -> bool:
    """Whether ``error`` says that a piece has ended the workers that were given it."""
    return type(error).__name__ == "KilledWorker"


def is_stranger(error: BaseException) -> bool:
    """Whether ``error`` says that the other side does not know what it is asked to do."""
    return isinstance(error, ImportError) or "deserialization" in str(error)

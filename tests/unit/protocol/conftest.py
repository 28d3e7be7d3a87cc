from collections.abc import Iterator

import pytest

from tests.unit.protocol.hostile import programs_closed


@pytest.fixture(autouse=True)
def _no_programs_left() -> Iterator[None]:
    with programs_closed():
        yield

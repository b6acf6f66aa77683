"""What a game declares to the core: records, layouts, verbs; and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Protocol

import numpy as np
import pytest

from reichenbach.envs.core import verbs
from reichenbach.envs.core.kernel import SourceHashLocator
from reichenbach.envs.core.layout import Layout, Section
from reichenbach.envs.core.record import Bool, Int, Ints, duplicate, record_dtype

pytestmark = pytest.mark.plain


class Good(Protocol):
    number: Int
    flag: Bool
    numbers: Annotated[Ints, np.int32, (2, 3)]


class TooNarrow(Protocol):
    number: Annotated[int, np.int8]


class Bare(Protocol):
    number: int


class Flags(Protocol):
    signs: Annotated[Any, np.bool_, (3,)]


class Taken(Protocol):
    max: Int


def test_a_record_has_the_fields_declared() -> None:
    dtype = record_dtype(Good)
    states = np.zeros(2, dtype)
    assert dtype.names == ("number", "flag", "numbers")
    assert states["numbers"].shape == (2, 2, 3)
    states[1].number = 5
    copies = duplicate(states)
    copies["number"] = 6
    assert list(states["number"]) == [0, 5]
    assert list(copies["number"]) == [6, 6]


@pytest.mark.parametrize(
    ("declaration", "message"),
    [
        (TooNarrow, "TooNarrow.number: expected int32, an array of int32 or bool"),
        (Bare, "Bare.number: expected int32"),
        (Flags, "Flags.signs: expected int32"),
        (Taken, r"Taken.max: numpy.record has an attribute of that name"),
    ],
)
def test_bad_fields_are_refused(declaration: type, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        record_dtype(declaration)


def test_a_game_must_register_every_verb_and_no_other() -> None:
    def rule(*_: Any) -> None:
        return None

    with pytest.raises(TypeError, match="verbs missing or unknown: active, dael, deal"):
        verbs.register(record_dtype(Good), dael=rule, **dict.fromkeys(set(verbs._STUBS) - {"deal", "active"}, rule))


def test_sections_have_their_places() -> None:
    layout = Layout((Section("board", 3, ("a", "b"), "what lies there"), Section("hand", 2, ("a",), "cards", "show")))
    assert (layout.size, layout.start("hand"), layout.slice("hand")) == (5, 3, slice(3, 5))
    assert "| 3 | 2 | hand (`show`) | a | cards |" in layout.table()
    assert layout.digest() != Layout(layout.sections[:1]).digest()
    with pytest.raises(KeyError, match="section 'deck': there is none; sections are board, hand"):
        layout.start("deck")


def test_the_locator_is_for_the_packages_own_functions() -> None:
    assert SourceHashLocator.from_function(np.zeros, np.__file__) is None
    assert SourceHashLocator.from_function(duplicate, str(Path(verbs.__file__))) is not None

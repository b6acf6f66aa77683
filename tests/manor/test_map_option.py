"""The option that says which map is played: by name, by file, by what a checkpoint holds."""

from __future__ import annotations

import copy
import json
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from reichenbach.agents import stored
from reichenbach.agents.setup import BadAgent, Setup
from reichenbach.envs.core import options as core
from reichenbach.envs.core.errors import BadMap, BadOption, BadPosition
from reichenbach.envs.core.face import Face
from reichenbach.envs.core.options import OptionValues
from reichenbach.envs.manor import map_file, map_option
from reichenbach.envs.manor.game import GAME
from reichenbach.envs.manor.map_file import SHIPPED, shipped
from reichenbach.envs.manor.options import OPTIONS, house_of

GULL = Path(__file__).parent / "cases" / "gull.yaml"
MAP = core.find(OPTIONS, "map")


def resolve(**given: Any) -> OptionValues:
    return core.resolve(OPTIONS, given)


def test_a_users_map(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a path, from the working directory; the value holds the file, and so outlives it."""
    file = tmp_path / "my.yaml"
    file.write_text(GULL.read_text().replace("name: gull", "name: mine"))
    monkeypatch.chdir(tmp_path)
    value = MAP.check("my.yaml")
    assert value == MAP.check(file) == MAP.read("./my.yaml")
    assert value == {"name": "mine", "sha256": map_file.load(file).digest, "text": file.read_text()}
    file.unlink()
    assert MAP.check(value) == value
    assert MAP.write(value) == f"mine@{value['sha256'][:12]}"
    assert MAP.read(MAP.write(value)) == value
    states = GAME.new(resolve(map=value))
    assert 2**30 <= states["map"][0] < 2**31
    assert house_of(states).name == "mine"


def test_maps_that_come_along(tmp_path: Path) -> None:
    for number, name in enumerate(SHIPPED):
        states = GAME.new(resolve(map=name))
        assert states["map"][0] == number
        assert house_of(states) == shipped(name)
        (tmp_path / "copy.yaml").write_text(shipped(name).text)
        assert MAP.check(tmp_path / "copy.yaml") == name, "an unchanged copy is the map itself"
        assert MAP.read(shipped(name).label) == name
    (tmp_path / "copy.yaml").write_text(shipped(SHIPPED[0]).text + "# changed\n")
    assert MAP.check(tmp_path / "copy.yaml")["name"] == SHIPPED[0]


def test_a_copied_face_has_the_same_house() -> None:
    face = Face.of(GAME, {"map": GULL, "observe_belief": True})
    for twin in (copy.deepcopy(face), pickle.loads(pickle.dumps(face))):
        assert twin.options == face.options
        assert twin.tables is face.tables
        assert not twin.tables.flags.writeable


IN_ANOTHER_PROCESS = """
import json, sys
from reichenbach.envs.core.errors import BadOption
from reichenbach.envs.manor.options import OPTIONS
given, text, number = json.load(sys.stdin)
try:
    OPTIONS[1].read(text)
except BadOption as error:
    print(error)
try:
    OPTIONS[1].decode(number)
except BadOption as error:
    print(error)
value = OPTIONS[1].check(given)
print(value == given == OPTIONS[1].read(text) == OPTIONS[1].decode(number))
"""


def test_a_stored_map_is_known_in_another_process() -> None:
    value = MAP.check(GULL)
    given = json.dumps([value, MAP.write(value), MAP.encode(value)])
    command = [sys.executable, "-c", IN_ANOTHER_PROCESS]
    said = subprocess.run(command, input=given, capture_output=True, text=True, check=True).stdout.splitlines()
    assert said == [
        f"option map: {MAP.write(value)} is not loaded in this process; make it known by its file first: map=FILE",
        f"option map: no map of number {MAP.encode(value)} is loaded in this process; make it known by its file",
        "True",
    ]


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("gul", "option map: there is no map 'gul'; allowed are ottermarch, wrenlatch, skerrowby, or the path of a"),
        ("ottermarsh", "option map: there is no map 'ottermarsh'; did you mean ottermarch? allowed are ottermarch,"),
        ("nowhere/x.yaml", "option map: 'nowhere/x.yaml' cannot be read: No such file or directory; allowed are"),
        ("a\0b.yaml", "option map: 'a\\x00b.yaml' cannot be read: embedded null byte; allowed are ottermarch,"),
        ("/", "option map: '/' cannot be read: Is a directory; allowed are ottermarch,"),
        ("gull@000000000000", "option map: gull@000000000000 is not loaded in this process; make it known by its file"),
        (3, "option map: 3 is not allowed; allowed are ottermarch, wrenlatch, skerrowby, or the path of"),
        ({"name": "x"}, "option map: {'name': 'x'} is not allowed; a mapping holds the texts name, sha256, text"),
        ({"name": "x", "sha256": "0", "text": 3}, "option map: {'name': 'x', "),
    ],
)
def test_maps_that_are_none(value: Any, message: str) -> None:
    with pytest.raises(BadOption) as error:
        MAP.check(value)
    assert str(error.value).startswith(message)


def test_a_directory_is_no_map(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even one whose name a map could have."""
    (tmp_path / "maps").mkdir()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BadOption, match="option map: 'maps' cannot be read: Is a directory; allowed are ottermarch,"):
        MAP.check("maps")


def test_a_number_of_no_map() -> None:
    with pytest.raises(BadOption, match="option map: no map of number 3 is loaded in this process; make it known"):
        MAP.decode(3)


def test_a_stored_map_that_was_changed_is_refused() -> None:
    value = MAP.check(GULL)
    with pytest.raises(
        BadOption, match=r"option map: 'gull': the hash of its text is [0-9a-f]{12}, not 'f092f07a98c7'"
    ):
        MAP.check({**value, "text": value["text"] + " "})
    with pytest.raises(BadOption, match="option map: 'gul': its text names the map 'gull'"):
        MAP.check({**value, "name": "gul"})
    with pytest.raises(BadOption, match="the hash of its text"):
        MAP.check({**value, "text": "\udc80"})


def test_a_bad_file_is_refused_line_by_line(tmp_path: Path) -> None:
    file = tmp_path / "my.yaml"
    file.write_text(GULL.read_text().replace("entrance: H2", "entrance: H9").replace("H1-D1", "H1-D9"))
    with pytest.raises(BadMap) as error:
        MAP.check(file)
    assert [str(problem).removeprefix(f"{file}:")[:13] for problem in error.value.problems] == [
        "15: doors[0]:",
        "17: entrance:",
    ]


def test_two_maps_of_one_number_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    value = MAP.check(GULL)
    number = MAP.encode(value)
    monkeypatch.setitem(map_option._LOADED, number, shipped(SHIPPED[0]))
    with pytest.raises(BadOption, match=r"gull@[0-9a-f]+ has the number of ottermarch@[0-9a-f]+; change a word"):
        MAP.check(value)


def test_a_position_of_another_map_is_refused_in_short(tmp_path: Path) -> None:
    """As of a user's own map whose file has changed since."""
    file = tmp_path / "my.yaml"
    file.write_text(GULL.read_text() + "# changed\n")
    before, now = MAP.check(GULL), MAP.check(file)
    text = f"map={MAP.write(before)} villain=A target=B pawns=A:H1"
    with pytest.raises(BadPosition) as error:
        GAME.parse(text, map=now)
    assert str(error.value) == f"position, map: the text says '{MAP.write(before)}', the argument '{MAP.write(now)}'"


def test_a_checkpoint_of_another_map_is_refused_in_short() -> None:
    value = MAP.check(GULL)
    plain = stored.plain(resolve(map=GULL))
    setup = Setup(GAME, resolve(), "sherlock", 0)
    with pytest.raises(BadAgent) as error:
        stored.check({"game": "manor", "rules_version": GAME.rules_version, "options": plain}, setup, "x")
    assert str(error.value) == f"x: options.map: the checkpoint has '{MAP.write(value)}', here it is 'ottermarch'"

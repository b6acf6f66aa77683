"""The leak audit: what a seat is given must be the same, byte for byte, whatever the facts hidden from it.

Games are played at random. At every ply and for every seat, each setting of the hidden facts that fits the seat's
view is looked at under several generators (and so, since chance is drawn when it is needed, several deck orders):
observation with all optional sections, mask, info and rendering must not differ. An all-seeing view may know all
facts, but not what chance will do.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reichenbach.envs.core import batch, chance, one
from reichenbach.envs.core.face import Face
from reichenbach.envs.core.game import Game
from reichenbach.envs.core.record import States

Info = Callable[[States, int], Mapping[str, Any]]


class Leak(ValueError):
    """A seat could tell hidden facts apart; names what differed, the seat, the game and the ply."""


@dataclass(frozen=True)
class Report:
    """What an audit that found nothing has compared: games, their plies, and settings of hidden facts."""

    games: int
    plies: int
    settings: int


def audit(
    game: Game,
    games: int = 500,
    *,
    options: Mapping[str, Any] | None = None,
    seed: int = 0,
    keys: int = 2,
    render_every: int = 10,
    info: Info | None = None,
) -> Report:
    """Audits whole games of random play.

    Args:
        game: the game.
        games: how many.
        options: rule options; the default rules unless given.
        seed: of the games and of the choice of actions.
        keys: generators under which every setting is looked at.
        render_every: plies from one rendering to the next.
        info: what an environment tells a seat beside its observation, of a state and a seat's number; that of the
            environments here unless given.

    Returns:
        What was compared.

    Raises:
        Leak: something differed; says what (for an observation the section), for which seat, and where.
        ValueError: the game names no setting at all that fits a view, not even the true one.
    """
    sections = {f"observe_{name}": True for name in game.optional_sections}
    return _Audit(Face.of(game, {**(options or {}), **sections}), seed, keys, render_every, info).run(games)


class _Audit:
    def __init__(self, face: Face, seed: int, keys: int, render_every: int, info: Info | None) -> None:
        self.face, self.game, self.keys, self.render_every = face, face.game, keys, render_every
        self.info: Info = info or self._environments_info
        self.seed = seed
        self.generator = np.random.default_rng(seed)
        self.mask: NDArray[np.int8] = np.empty(face.game.n_actions, np.int8)
        self.game_number = self.ply = self.plies = self.settings = 0

    def _environments_info(self, states: States, seat: int) -> Mapping[str, Any]:
        return self.face.info(states)

    def run(self, games: int) -> Report:
        for self.game_number in range(games):
            states = self.face.blank.copy()
            chance.seed(states, [self.seed + self.game_number])
            one.deal(states, self.face.tables)
            self.ply = 0
            while self._look(states):
                self._play(states)
        return Report(games, self.plies, self.settings)

    def _play(self, states: States) -> None:
        seat = one.mover(states, self.face.tables)
        one.legal(states, self.face.tables, seat, self.mask)
        action = int(self.generator.choice(np.flatnonzero(self.mask)))
        one.step(states, self.face.tables, action, self.mask)
        self.ply += 1

    def _look(self, states: States) -> bool:
        """Compares everything at one ply; whether the game goes on."""
        for seat in range(self.face.everything + 1):
            settings = [states] if seat == self.face.everything else list(self.game.alternatives(states, seat))
            if not settings:
                raise ValueError(f"{self._where(seat)}: no setting of the hidden facts fits the view")
            self._compare(states, self._under_keys(settings), seat)
            self.settings += len(settings)
        self.plies += 1
        return one.mover(states, self.face.tables) >= 0

    def _under_keys(self, settings: Sequence[States]) -> States:
        """Every setting under several generators, with nothing left of the chance that led to it."""
        record = b"".join(setting.tobytes() for setting in settings)  # np.concatenate compares every field's type
        many: States = np.frombuffer(bytearray(record * self.keys), self.face.blank.dtype)
        words = self.generator.integers(-(2**31), 2**31, (len(many), 2), np.int32)
        many["chance_key"] = words
        many["chance_counter"] = words[:, 0] & 0xFFFF
        many["script"] = many["record"] = words[:, :1]
        many["script_length"] = many["record_length"] = words[:, 0] & 15
        many["script_used"] = many["script_length"]
        return many

    def _compare(self, states: States, many: States, seat: int) -> None:
        truth, mask = self._view(states, seat)
        observations, masks = self._view(many, seat)
        if (wrong := _differs(observations.view(np.int32), truth.view(np.int32))) is not None:
            raise Leak(f"{self._where(seat)}: observation, section {self._section(wrong)} depends on hidden facts")
        if (wrong := _differs(masks, mask)) is not None:
            raise Leak(f"{self._where(seat)}: mask, action {self.game.action_text(wrong)!r} depends on hidden facts")
        renders = self.ply % self.render_every == 0
        info, text = self.info(states, seat), self.game.render(states, seat) if renders else ""
        for row in range(len(many)):
            setting = many[row : row + 1]
            if self.info(setting, seat) != info:
                raise Leak(f"{self._where(seat)}: info {info!r} depends on hidden facts")
            if renders and self.game.render(setting, seat) != text:
                raise Leak(f"{self._where(seat)}: rendering depends on hidden facts: {self._line(setting, seat, text)}")

    def _view(self, states: States, seat: int) -> tuple[NDArray[np.float32], NDArray[np.int8]]:
        rows: NDArray[np.int64] = np.arange(len(states), dtype=np.int64)
        observations: NDArray[np.float32] = np.empty((len(rows), self.face.size), np.float32)
        masks: NDArray[np.int8] = np.empty((len(rows), self.game.n_actions), np.int8)
        seats = np.full(len(rows), seat, np.int64)
        batch.view(states, self.face.tables, rows, seats, self.face.sections, observations, masks)
        return observations, masks

    def _where(self, seat: int) -> str:
        name = "all-seeing" if seat == self.face.everything else self.face.seats[seat]
        return f"{self.game.name}, game {self.game_number}, ply {self.ply}, seat {name}"

    def _section(self, column: int) -> str:
        layout = self.game.layout(self.face.sections)
        return next(
            section.name
            for section in layout.sections
            if layout.slice(section.name).start <= column < layout.slice(section.name).stop
        )

    def _line(self, setting: States, seat: int, text: str) -> str:
        """The first line that differs."""
        lines = zip(self.game.render(setting, seat).splitlines(), text.splitlines(), strict=False)
        return next((repr(other) for other, line in lines if other != line), "one has more lines")


def _differs(rows: NDArray[Any], truth: NDArray[Any]) -> int | None:
    """The first column of (k, n) in which a row is not as in (1, n)."""
    columns = np.flatnonzero((rows != truth).any(axis=0))
    return int(columns[0]) if len(columns) else None

"""The leak audit: what a seat is given must be the same, byte for byte, whatever the facts hidden from it.

Games are played at random. At every ply and for every seat, each setting of the hidden facts that fits the seat's
view is looked at under several generators (and so, since chance is drawn when it is needed, several deck orders):
observation with all optional sections, mask, info and rendering must not differ. An all-seeing view may know all
facts, but not what chance will do. Endings and rewards, of which info and what an environment pays are made, are
compared at every ply, info itself where renderings are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reichenbach.envs.core import batch, chance, differ, one
from reichenbach.envs.core.face import Face
from reichenbach.envs.core.game import Game
from reichenbach.envs.core.record import States, duplicate

Info = Callable[[States, int], Mapping[str, Any]]
ALL_SEEING_KEYS = 8  # at least: there is one setting alone for the all-seeing view


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
    renders: int | None = None,
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
        renders: of how many settings, drawn at random, rendering and info are compared then; all unless given.
        info: what an environment tells a seat beside its observation, of a state and a seat's number, compared at
            every ply for all settings; that of the environments here unless given.

    Returns:
        What was compared.

    Raises:
        Leak: something differed; says what (for an observation the section), for which seat, and where.
        ValueError: the game names no setting at all that fits a view, not even the true one.
    """
    sections = {f"observe_{name}": True for name in game.optional_sections}
    face = Face.of(game, {**(options or {}), **sections})
    return _Audit(face, seed, keys, render_every, renders, info).run(games)


class _Audit:
    def __init__(
        self, face: Face, seed: int, keys: int, render_every: int, renders: int | None, info: Info | None
    ) -> None:
        self.face, self.game, self.keys, self.info = face, face.game, keys, info
        self.render_every, self.renders = render_every, renders
        self.seed = seed
        self.generator = np.random.default_rng(seed)
        self.observation: NDArray[np.float32] = np.empty(face.size, np.float32)
        self.mask: NDArray[np.int8] = np.empty(face.game.n_actions, np.int8)
        self.scratch = np.empty_like(self.observation), np.empty_like(self.mask)
        self.game_number = self.ply = self.plies = self.settings = 0

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
            sees_all = seat == self.face.everything
            settings = [duplicate(states)] if sees_all else list(self.game.alternatives(states, seat))
            if not settings:
                raise ValueError(f"{self._where(seat)}: no setting of the hidden facts fits the view")
            keys = max(self.keys, ALL_SEEING_KEYS) if sees_all else self.keys
            self._compare(states, self._under_keys(settings, keys), seat)
            self.settings += sum(len(part) for part in settings)
        self.plies += 1
        return one.mover(states, self.face.tables) >= 0

    def _under_keys(self, settings: Sequence[States], keys: int) -> States:
        """Every setting under several generators, with nothing left of the chance that led to it."""
        records = [np.ascontiguousarray(part).view(np.uint8) for part in settings] * keys
        joined = np.concatenate(records) if len(records) > 1 else records[0]
        many: States = joined.view(self.face.blank.dtype)  # as bytes, or it would go field by field
        differ.change_chance(many, self.generator.integers(-(2**31), 2**31, (len(many), 2), np.int32))
        return many

    def _compare(self, states: States, many: States, seat: int) -> None:
        self._view(states, seat, self.observation, self.mask)
        given = (self.face.tables, seat, self.face.sections, self.observation, self.mask, *self.scratch)
        unlike = differ.first_unlike(many, *given)
        if unlike >= 0:
            raise Leak(f"{self._where(seat)}: {self._difference(many[unlike : unlike + 1], seat)} on hidden facts")
        self._compare_info(states, many, seat)
        if self.ply % self.render_every == 0:
            self._compare_renderings(states, many, seat)

    def _view(self, states: States, seat: int, observation: NDArray[np.float32], mask: NDArray[np.int8]) -> None:
        """Writes what the seat sees and may do in an array of one over the last two arguments."""
        one.view(states, self.face.tables, seat, self.face.sections, observation, mask)

    def _difference(self, setting: States, seat: int) -> str:
        """What is not as it truly is, in an error's words."""
        observation, mask = self.scratch
        self._view(setting, seat, observation, mask)
        columns = np.flatnonzero(observation.view(np.int32) != self.observation.view(np.int32))
        if len(columns):
            return f"observation, section {self._section(int(columns[0]))} depends"
        return f"mask, action {self.face.action_text(int(np.flatnonzero(mask != self.mask)[0]))!r} depends"

    def _compare_info(self, states: States, many: States, seat: int) -> None:
        for name, truth, found in zip(("ending", "reward"), self._results(states), self._results(many), strict=True):
            if (found != truth).any():
                raise Leak(f"{self._where(seat)}: the {name} depends on hidden facts")
        if self.info is None and self.ply % self.render_every:
            return
        rows = self._drawn(many) if self.info is None else range(len(many))
        info = self._info(states, seat)
        if any(self._info(many[row : row + 1], seat) != info for row in rows):
            raise Leak(f"{self._where(seat)}: info {info!r} depends on hidden facts")

    def _info(self, states: States, seat: int) -> Mapping[str, Any]:
        return self.face.info(states) if self.info is None else self.info(states, seat)

    def _results(self, states: States) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """The ending code of each state, and every seat's reward."""
        k = len(states)
        endings: NDArray[np.int64] = np.empty(k, np.int64)
        rewards: NDArray[np.float64] = np.empty((k, len(self.face.seats)))
        batch.results(states, self.face.tables, np.arange(k, dtype=np.int64), endings, rewards)
        return endings, rewards

    def _compare_renderings(self, states: States, many: States, seat: int) -> None:
        text = self.game.render(states, seat)
        for row in self._drawn(many):
            setting = many[row : row + 1]
            if self.game.render(setting, seat) != text:
                raise Leak(f"{self._where(seat)}: rendering depends on hidden facts: {self._line(setting, seat, text)}")

    def _drawn(self, many: States) -> Iterable[int]:
        """The settings that are rendered, and whose info is compared."""
        if self.renders is None or self.renders >= len(many):
            return range(len(many))
        return sorted(self.generator.choice(len(many), self.renders, replace=False).tolist())

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

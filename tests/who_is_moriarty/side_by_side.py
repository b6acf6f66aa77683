"""The kernel and the reference playing the same game, compared after every move."""

from __future__ import annotations

import random

import numpy as np

from reichenbach.envs.core import chance, one
from reichenbach.envs.who_is_moriarty import notation
from reichenbach.envs.who_is_moriarty.game import GAME
from reichenbach.envs.who_is_moriarty.state import Ending
from tests.who_is_moriarty.reference import play as rules
from tests.who_is_moriarty.reference.actions import NUMBER
from tests.who_is_moriarty.reference.chance import Told
from tests.who_is_moriarty.reference.model import Game, Options
from tests.who_is_moriarty.reference.text import option_values, position, write
from tests.who_is_moriarty.reference.watch import SEATS, observe

BELIEF, AFTER = 1, 2


class SideBySide:
    """One game twice: `state` is the kernel's, `game` the reference's."""

    def __init__(self, options: Options, seed: int, loaded: Game | None = None) -> None:
        values = GAME.resolve(option_values(options))
        self.tables = GAME.tables(values)
        if loaded is not None:
            self.state = notation.parse(f"{write(loaded)} seed={seed}")
            self.game = loaded
            return
        self.state = GAME.new(values)
        chance.seed(self.state, [seed])
        one.deal(self.state, self.tables)
        told = Told(chance.recorded(self.state))
        self.game = rules.deal(options, told)
        told.finish()

    def outcomes(self) -> list[tuple[int, int]]:
        """What chance brought at the kernel's last move."""
        return chance.recorded(self.state)

    def play(self, text: str) -> None:
        """The mover's action, by the kernel, then by the reference with the chance that the kernel had."""
        mask = np.zeros(GAME.n_actions, np.int8)
        code = one.step(self.state, self.tables, NUMBER[text], mask)
        assert code != -2, f"the kernel refuses {text}"
        told = Told(self.outcomes())
        rules.play(self.game, text, told)
        told.finish()

    def legal(self) -> list[str]:
        """The mover's legal actions, by the reference."""
        return rules.legal(self.game, rules.mover(self.game) or "sherlock")

    def compare(self, sections: int = 0) -> None:
        """Every fact, mover, legal actions, endings, rewards and what every seat sees."""
        kernel, reference = set(notation.format(self.state).split()), set(position(self.game))
        assert kernel == reference, f"kernel {kernel - reference}, reference {reference - kernel}"
        mover = rules.mover(self.game)
        expected = -1 if mover is None else SEATS.index(mover)
        assert one.mover(self.state, self.tables) == expected, f"the mover is not {mover}"
        assert Ending(one.outcome(self.state, self.tables)).name == self.game.ending
        for seat in (0, 1):
            assert one.active(self.state, self.tables, seat) == (seat == expected)
            self._compare_legal(seat)
            reward = rules.reward(self.game, SEATS[seat])
            assert one.reward(self.state, self.tables, seat) == reward
        for seat in (0, 1, 2):
            self._compare_view(seat, sections)

    def _compare_legal(self, seat: int) -> None:
        mask = np.full(GAME.n_actions, 7, np.int8)
        one.legal(self.state, self.tables, seat, mask)
        expected = np.zeros(GAME.n_actions, np.int8)
        expected[[NUMBER[text] for text in rules.legal(self.game, SEATS[seat])]] = 1
        assert mask.tolist() == expected.tolist(), f"legal actions of {SEATS[seat]} differ"

    def _compare_view(self, seat: int, sections: int) -> None:
        layout = GAME.layout(sections)
        view = np.full(layout.size, np.nan, np.float32)
        before = self.state.tobytes()
        one.observe(self.state, self.tables, seat, sections, view)
        assert self.state.tobytes() == before, "observing changes nothing"
        expected = observe(self.game, SEATS[seat], bool(sections & BELIEF), bool(sections & AFTER))
        assert [(section.name, section.length) for section in layout.sections] == [
            (name, len(numbers)) for name, numbers in expected.items()
        ]
        flat = np.array([number for numbers in expected.values() for number in numbers])
        if not np.all(np.abs(view - flat) < 1e-6):
            wrong = [name for name in expected if np.any(~(np.abs(view - flat)[layout.slice(name)] < 1e-6))]
            raise AssertionError(f"what {SEATS[seat]} sees differs in {', '.join(wrong)}")


def random_action(dice: random.Random, legal: list[str]) -> str:
    """A legal action, each kind of action being as likely as another: cards and jokers come often."""
    kind = dice.choice(sorted({text.split()[0] for text in legal}))
    return dice.choice([text for text in legal if text.split()[0] == kind])

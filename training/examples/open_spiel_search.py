"""OpenSpiel: search that resamples what is hidden by belief (IS-MCTS) plays Who Is Moriarty against random play.

    python -m reichenbach.training.examples.open_spiel_search [GAMES] [SIMULATIONS]

needs the extra ``open-spiel``. OpenSpiel's C++ IS-MCTS crashes on games that are written in Python;
its Python one is used here.
"""

from __future__ import annotations

import sys

import numpy as np
import pyspiel
from open_spiel.python.algorithms import ismcts, mcts

import reichenbach.envs.plugs.open_spiel  # noqa: F401  registers the games

SHERLOCK = 0


def main(games: int = 5, simulations: int = 50) -> float:
    """Sherlock searches; the share of games that he wins."""
    game = pyspiel.load_game("reichenbach_who_is_moriarty", {"max_rounds": 4})
    generator = np.random.RandomState(1)
    searcher = ismcts.ISMCTSBot(
        game=game,
        evaluator=mcts.RandomRolloutEvaluator(n_rollouts=1, random_state=generator),
        uct_c=1.5,
        max_simulations=simulations,
        random_state=generator,
    )
    won = 0
    for _ in range(games):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                action = generator.choice(outcomes, p=chances)
            elif state.current_player() == SHERLOCK:
                action = searcher.step(state)
            else:
                action = generator.choice(state.legal_actions())
            state.apply_action(int(action))
        won += state.returns()[SHERLOCK] > 0
    print(f"Sherlock, who searches, won {won} of {games} games")
    return won / games


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))

"""Both games as OpenSpiel games: the same games, its own checks, searching and learning there."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python import rl_environment
from open_spiel.python.algorithms import ismcts, mcts, random_agent
from open_spiel.python.pytorch import dqn

from reichenbach.envs import registry
from reichenbach.envs.core import chance, one
from reichenbach.envs.core.face import Face
from reichenbach.envs.plugs import open_spiel, spiel_facts
from reichenbach.envs.who_is_moriarty.belief import belief

WIM, MANOR = "reichenbach_who_is_moriarty", "reichenbach_manor"
CASES: list[tuple[str, dict[str, Any]]] = [
    (WIM, {}),
    (WIM, {"card_clears": "optional", "crossroads": "A+C", "max_rounds": 6, "start": "random"}),
    (WIM, {"rewards": "zp", "observe_belief": True}),
    (MANOR, {}),
    (MANOR, {"table": "3p", "map": "wrenlatch", "food": 5, "observe_after": True}),
    (MANOR, {"table": "4p", "inventory": "private", "days": 1}),
    (MANOR, {"table": "4p_roles", "events": False}),
]
IDS = [f"{name.removeprefix('reichenbach_')}-{'-'.join(map(str, params.values()))}" for name, params in CASES]


def at_random(state: Any, generator: np.random.Generator, moves: int = 10**6) -> Any:
    """Plays so many moves of players, and the chance between and before them."""
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(int(generator.integers(len(state.chance_outcomes()))))
        elif moves == 0:
            break
        else:
            state.apply_action(int(generator.choice(state.legal_actions())))
            moves -= 1
    return state


@pytest.mark.parametrize(("name", "params"), CASES, ids=IDS)
def test_its_own_checks(name: str, params: dict[str, Any]) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(name, params), num_sims=3, serialize=True, verbose=False)


@pytest.mark.parametrize(("name", "params"), CASES, ids=IDS)
@pytest.mark.parametrize("seed", range(3))
def test_the_same_game_as_in_the_kernel(name: str, params: dict[str, Any], seed: int) -> None:
    """Told the draws that the generator made, it has the same observations, masks and rewards at every move."""
    spiel = pyspiel.load_game(name, params)
    face: Face = spiel.rules.face
    states, tables, mask = face.blank.copy(), face.tables, np.empty(face.game.n_actions, np.int8)
    chance.seed(states, [seed])
    one.deal(states, tables)
    node, generator = spiel.new_initial_state(), np.random.default_rng(seed)
    while True:
        for outcomes, outcome in chance.recorded(states):
            assert node.is_chance_node()
            assert node.chance_outcomes() == [(each, 1 / outcomes) for each in range(outcomes)]
            node.apply_action(outcome)
        seat = one.mover(states, tables)
        for observer in range(len(face.seats)):
            seen = np.empty(face.size, np.float32)
            one.observe(states, tables, observer, face.sections, seen)
            assert np.array_equal(node.observation_tensor(observer), seen)
        if seat < 0:
            break
        assert node.current_player() == seat
        one.legal(states, tables, seat, mask)
        assert node.legal_actions() == np.flatnonzero(mask).tolist()
        assert node.returns() == [0.0] * len(face.seats)
        action = int(generator.choice(np.flatnonzero(mask)))
        assert node.action_to_string(seat, action) == face.action_text(action)
        one.step(states, tables, action, mask)
        node.apply_action(action)
    assert node.is_terminal()
    assert node.returns() == face.results(states)[1]
    assert str(node) == face.game.format(states)


def test_what_openspiel_is_told() -> None:
    game = pyspiel.load_game(WIM)
    assert (game.num_players(), game.num_distinct_actions(), game.max_game_length()) == (2, 77, 36)
    assert (game.min_utility(), game.max_utility(), game.utility_sum()) == (-1, 1, 0)
    points = pyspiel.load_game(WIM, {"rewards": "zp"})
    assert (points.min_utility(), points.max_utility(), points.utility_sum()) == (0, 2, 2)
    assert pyspiel.load_game(MANOR).get_type().utility == pyspiel.GameType.Utility.ZERO_SUM
    assert pyspiel.load_game(MANOR, {"table": "3p"}).get_type().utility == pyspiel.GameType.Utility.GENERAL_SUM
    assert [pyspiel.load_game(MANOR, {"table": table}).num_players() for table in ("2p", "3p", "4p_roles")] == [2, 3, 4]
    assert pyspiel.load_game(f"{MANOR}(table=3p,days=2)").num_players() == 3
    fewer = pyspiel.load_game(f"{MANOR}(days=2,food=-1,weapons=0)").rules.face.options
    assert (fewer["food"], fewer["weapons"]) == ("map", 0)


@pytest.mark.parametrize(
    ("name", "params", "message"),
    [
        (WIM, {"max_rounds": 9}, "option max_rounds: 9 is not allowed; allowed are 1 to 8"),
        (MANOR, {"table": "5p"}, "option table: '5p' is not allowed; allowed are 2p, 3p, 4p, 4p_roles"),
        (MANOR, {"tabel": "3p"}, "tabel"),
    ],
)
def test_parameters_that_are_refused(name: str, params: dict[str, Any], message: str) -> None:
    with pytest.raises(Exception, match=message):
        pyspiel.load_game(name, params)


# ---------------------------------------------------------------- information states


@pytest.mark.parametrize(("name", "params"), CASES, ids=IDS)
def test_resampled_positions_look_the_same_to_the_seat(name: str, params: dict[str, Any]) -> None:
    game, generator = pyspiel.load_game(name, params), np.random.default_rng(1)
    others = 0
    for moves in (0, 5, 11, 20):
        state = at_random(game.new_initial_state(), generator, moves)
        if state.is_terminal():
            continue
        seat = state.current_player()
        for _ in range(5):
            other = state.resample_from_infostate(seat, generator.random)
            assert other.information_state_string(seat) == state.information_state_string(seat)
            assert other.observation_string(seat) == state.observation_string(seat)
            assert other.observation_tensor(seat) == state.observation_tensor(seat)
            assert other.legal_actions() == state.legal_actions()
            others += str(other) != str(state)
            assert at_random(other, generator).is_terminal()
        assert state.current_player() == seat, "the position itself is left alone"
    assert others > 0


def test_resampling_follows_the_belief() -> None:
    """Identities come as often as Sherlock's exact belief says, within four standard errors."""
    generator, draws = np.random.default_rng(3), 2_000
    state = at_random(pyspiel.load_game(WIM).new_initial_state(), generator, 9)
    exact = belief(state.states, 0).identity
    found = Counter(int(state.resample_from_infostate(0, generator.random).states["moriarty"][0]) for _ in range(draws))
    assert (exact > 0).sum() > 1
    for suspect, likely in enumerate(exact):
        assert abs(found[suspect] / draws - likely) <= 4 * np.sqrt(likely * (1 - likely) / draws)


def test_an_information_state_is_all_that_a_seat_has_seen_and_done() -> None:
    """Of two histories it tells apart those that the seat can, and no others."""
    game = pyspiel.load_game(MANOR)
    state = at_random(game.new_initial_state(), np.random.default_rng(0), 0)
    twins = [state.clone() for _ in range(2)]
    for twin, action in zip(twins, state.legal_actions()[:2], strict=True):
        twin.apply_action(action)
    assert twins[0].information_state_string(0) != twins[1].information_state_string(0)
    assert twins[0].information_state_string(1) == twins[1].information_state_string(1)
    assert twins[0].legal_actions() == twins[1].legal_actions()


def test_copies_and_pickles_go_on_alike() -> None:
    for name, params in CASES:
        game, generator = pyspiel.load_game(name, params), np.random.default_rng(2)
        state = at_random(game.new_initial_state(), generator, 7)
        twin = game.deserialize_state(state.serialize())
        for copied in (state.clone(), twin):
            before = str(state)
            assert str(copied) == before
            assert copied.information_state_string(0) == state.information_state_string(0)
            at_random(copied, generator)
            assert str(state) == before


# ---------------------------------------------------------------- searching and learning


@pytest.mark.parametrize(("name", "params"), [CASES[0], CASES[3]], ids=[IDS[0], IDS[3]])
def test_its_search_plays_whole_games(name: str, params: dict[str, Any]) -> None:
    game, generator = pyspiel.load_game(name, params), np.random.RandomState(1)
    bot = ismcts.ISMCTSBot(
        game,
        evaluator=mcts.RandomRolloutEvaluator(n_rollouts=1, random_state=generator),
        uct_c=2.0,
        max_simulations=10,
        random_state=generator,
        allow_inconsistent_action_sets=name == MANOR,
    )
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(int(generator.randint(len(state.chance_outcomes()))))
        elif state.current_player() == 0:
            action = bot.step(state)
            assert action in state.legal_actions()
            state.apply_action(action)
        else:
            state.apply_action(int(generator.choice(state.legal_actions())))
    assert abs(state.returns()[0]) <= 1


@pytest.mark.parametrize(("name", "params"), [CASES[0], CASES[3]], ids=[IDS[0], IDS[3]])
def test_its_dqn_learns(name: str, params: dict[str, Any]) -> None:
    game = pyspiel.load_game(name, params)
    env = rl_environment.Environment(game)
    size, actions = env.observation_spec()["info_state"][0], env.action_spec()["num_actions"]
    learner = dqn.DQN(0, size, actions, [32], batch_size=16, min_buffer_size_to_learn=32, learn_every=8, seed=1)
    agents = [learner, *(random_agent.RandomAgent(seat, actions) for seat in range(1, game.num_players()))]
    for _ in range(6):
        step = env.reset()
        while not step.last():
            step = env.step([agents[step.observations["current_player"]].step(step).action])
        for agent in agents:
            agent.step(step)
    assert np.isfinite(float(learner.loss))


def test_a_process_that_has_used_it_ends_well() -> None:
    program = f"import pyspiel, reichenbach.envs.plugs.open_spiel; pyspiel.load_game('{WIM}').new_initial_state()"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_every_game_is_registered() -> None:
    assert {f"reichenbach_{name}" for name in registry.GAMES} <= set(pyspiel.registered_names())
    assert isinstance(pyspiel.load_game(WIM), open_spiel.SpielGame)
    assert spiel_facts.MOST_OUTCOMES > 720

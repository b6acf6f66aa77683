"""The rules, registered as the verbs of this game's states.

The rules work on one record: deal, legal actions and submissions in play.py, conflicts of command in orders.py,
the action phase in acting.py, the end of turns and games in turn.py, sight and murder in sight.py, belief in
belief.py, observations in observe.py, after-states in after.py. illegal.py says in words why an action is not allowed.
"""

from __future__ import annotations

from reichenbach.envs.core import options, verbs
from reichenbach.envs.core.record import States, Tables
from reichenbach.envs.manor import play, turn
from reichenbach.envs.manor.observe import observe
from reichenbach.envs.manor.options import OPTIONS, tables
from reichenbach.envs.manor.state import STATE

verbs.register(
    STATE,
    deal=play.deal,
    mover=play.mover,
    active=play.active,
    legal=play.legal,
    step=play.step,
    observe=observe,
    outcome=turn.outcome,
    reward=turn.reward,
)


def tables_of(state: States) -> Tables:
    """The tables of an array of one, by the options in it."""
    return tables(options.read(OPTIONS, state))

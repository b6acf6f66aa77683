"""What a run is made of: typed, with defaults and ranges; a YAML file overrides what it names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, PositiveInt
from pydantic_core import PydanticCustomError

from reichenbach.envs.core.problems import Problem

SELF = "self"  # the opponent that is a past snapshot of the learner
BOTH = "both"  # the learner that plays every seat, an equal share of the games each


class ConfigError(ValueError):
    """A config that cannot be used; its text has one line for every problem."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))


class Model(BaseModel):
    """No unknown keys, no silent conversion of text to numbers, no change after loading."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)


Share = Annotated[float, Field(ge=0, le=1)]


class Schedule(Model):
    """A number that moves in a straight line from ``start`` at step 0 to ``end`` at the last step."""

    # A learning rate or an entropy weight; a thousand times what is usual may still be tried.
    start: Share
    end: Share

    def at(self, step: int, total: int) -> float:
        """The number at this step of a run of ``total`` steps; held at ``end`` from there on."""
        done = min(max(step / total, 0.0), 1.0)
        return self.start + (self.end - self.start) * done


def _constant(value: Any) -> Any:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return {"start": value, "end": value}
    return value


Scheduled = Annotated[Schedule, BeforeValidator(_constant)]
Width = Annotated[int, Field(ge=1, le=8192)]


class Opponent(Model):
    """One entry of a mixture that plays beside or against the learner; drawn per game in proportion to the weights."""

    agent: Annotated[str, Field(min_length=1)]
    weight: Annotated[float, Field(gt=0, le=1_000_000_000)] = 1.0


class Network(Model):
    """The policy's network: ``mlp``, or ``after``, which scores actions by what they leave (agents/network.py)."""

    kind: Literal["mlp", "after"] = "mlp"
    hidden: Annotated[list[Width], Field(min_length=1, max_length=8)] = [256, 256]


class Ppo(Model):
    """MaskablePPO's own settings."""

    learning_rate: Scheduled = Schedule(start=7e-4, end=3e-5)
    entropy: Scheduled = Schedule(start=0.01, end=0.001)
    n_envs: PositiveInt = 512
    n_steps: PositiveInt = 32
    batch_size: PositiveInt = 1024
    epochs: PositiveInt = 3
    gamma: Share = 1.0
    gae_lambda: Share = 0.95
    clip_range: Annotated[float, Field(gt=0, le=1)] = 0.2
    value_weight: Annotated[float, Field(ge=0, le=1000)] = 0.5
    max_grad_norm: Annotated[float, Field(gt=0)] = 0.5


class Imitation(Model):
    """Learning from an agent in the learner's seat, before learning from play.

    ``steps`` are the first of the run's ``total_steps``; where those are no more, all of the run is imitation.
    """

    agent: Annotated[str, Field(min_length=1)] = "greedy"
    steps: PositiveInt = 200_000  # ends with the iteration in which they are reached
    own: Share = 0.5  # of the games that the learner plays itself, told what the agent would do
    epochs: PositiveInt = 2  # over the moves of an iteration
    batch_size: PositiveInt = 512
    learning_rate: Annotated[float, Field(gt=0, le=1)] = 1e-3


class Snapshots(Model):
    """Past selves for the opponent ``self``: one taken every so many iterations, the last few kept."""

    every: PositiveInt = 10
    keep: Annotated[int, Field(ge=1, le=64)] = 5


class Evaluation(Model):
    """Frozen evaluation during training, from time to time and at the end."""

    every: PositiveInt = 1_000_000  # steps
    games: Annotated[int, Field(ge=1, le=1_000_000)] = 1000  # against each opponent
    opponents: Annotated[list[str], Field(min_length=1)] = ["random", "greedy"]
    mode: Literal["argmax", "sample"] = "argmax"


class Ray(Model):
    """How a run is spread where ``--engine ray`` trains it: ``ppo.n_envs`` games are shared out to the runners."""

    runners: Annotated[int, Field(ge=1, le=10_000)] = 2
    learners: Annotated[int, Field(ge=0, le=1000)] = 0  # processes that learn; 0: the one that drives the run
    address: Annotated[str, Field(min_length=1)] | None = None  # of a cluster; None: one on this machine, for the run


class Wandb(Model):
    """Curves in Weights & Biases too, beside TensorBoard; needs the extra ``wandb``."""

    project: Annotated[str, Field(min_length=1)] = "reichenbach"
    mode: Literal["online", "offline"] = "online"


class Mlflow(Model):
    """Curves in MLflow too, beside TensorBoard; needs the extra ``mlflow``."""

    uri: Annotated[str, Field(min_length=1)] | None = None  # of a server or store; None: as MLflow is set up
    experiment: Annotated[str, Field(min_length=1)] = "reichenbach"


class Trackers(Model):
    """Where curves go beside TensorBoard and the tables in the run's folder."""

    wandb: Wandb | None = None
    mlflow: Mlflow | None = None


def _number(value: Any) -> Any:
    if value is not None and (isinstance(value, bool) or not isinstance(value, int | float)):
        raise PydanticCustomError("number", "Input should be a number")
    return value


Number = Annotated[Any, AfterValidator(_number)]  # stays whole where it is


class Axis(Model):
    """The values that a sweep tries for one key: the ``choices``, or numbers from ``low`` to ``high``."""

    choices: Annotated[list[Any], Field(min_length=1)] | None = None
    low: Number = None  # whole numbers where both are
    high: Number = None
    log: bool = False  # as many tries from 1 to 10 as from 10 to 100


class Pruning(Model):
    """Trials that fall behind the median of the others are ended early."""

    trials: PositiveInt = 5  # that came to their end before the first is pruned
    evaluation: PositiveInt = 1  # the first at which one may be


class Sweep(Model):
    """Many runs of this config, each with other values for the keys of ``space``, scored by the last evaluation."""

    space: Annotated[dict[str, Axis], Field(min_length=1)]  # by key, as ppo.learning_rate.start
    trials: Annotated[int, Field(ge=1, le=100_000)] = 20
    sampler: Literal["tpe", "random"] = "tpe"
    prune: Pruning | None = Pruning()


class Config(Model):
    """A whole run."""

    game: str
    seat: str
    options: dict[str, Any] = {}  # of the rules, and observe_...
    opponents: Annotated[list[Opponent], Field(min_length=1)] = [Opponent(agent="random")]  # on the other sides
    allies: Annotated[list[Opponent], Field(min_length=1)] | None = None  # on the learner's own; None is greedy
    total_steps: PositiveInt = 1_000_000
    network: Network = Network()
    imitation: Imitation | None = None
    ppo: Ppo = Ppo()
    snapshots: Snapshots = Snapshots()
    evaluation: Evaluation = Evaluation()
    save_every: PositiveInt = 10  # iterations between checkpoints
    ray: Ray = Ray()
    trackers: Trackers = Trackers()
    sweep: Sweep | None = None  # for `reichenbach sweep`; a single run takes no notice of it
    seed: Annotated[int, Field(ge=0, lt=2**32)] = 0
    threads: Annotated[int, Field(ge=1, le=256)] = 1
    output: Annotated[str, Field(min_length=1, pattern=r"^[^\x00]*$")] = "runs/run"

    @property
    def ally_mixture(self) -> list[Opponent]:
        """Who plays the other seats of the learner's side, where there are any."""
        return self.allies or [Opponent(agent="greedy")]

    @property
    def steps_per_iteration(self) -> int:
        """Learner steps between two updates."""
        return self.ppo.n_envs * self.ppo.n_steps

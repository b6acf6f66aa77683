"""Stored policies: what is loaded, and how everything that does not fit is refused by name."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file

from reichenbach.agents import registry, stored
from reichenbach.agents.network import Network, masked
from reichenbach.agents.policy import Policy
from reichenbach.agents.setup import BadAgent
from reichenbach.envs import registry as games
from reichenbach.envs.core.face import Face
from reichenbach.envs.core.seat import Agent, Views
from reichenbach.training import checkpoint
from reichenbach.training.config import Config

GAME = games.game("who_is_moriarty")


def write(folder: Path, seat: str = "moriarty", **options: Any) -> Network:
    config = Config.model_validate(
        {
            "game": "who_is_moriarty",
            "seat": seat,
            "options": {"observe_after": True, **options},
            "network": {"kind": "after", "hidden": [16]},
        }
    )
    face = Face.of(GAME, config.options)
    network = Network(checkpoint.spec_of(config, face))
    folder.mkdir(parents=True)
    checkpoint.write(folder, network, checkpoint.manifest(config, face, steps=7, parent=None, evaluation=[]))
    return network


def load(text: str, seat: str = "moriarty", **options: Any) -> Agent:
    return registry.make(text, game=GAME, options=GAME.resolve(options), seat=seat, seed=1)


def views(sections: int, rows: int = 64) -> Views:
    generator = np.random.default_rng(1)
    observation = generator.random((rows, GAME.layout(sections).size), np.float32)
    mask = (generator.random((rows, GAME.n_actions)) < 0.3).astype(np.int8)
    mask[:, 0] = 1
    return Views(1, observation, mask, np.arange(rows), np.ones(rows, np.bool_))


def test_argmax_and_sample(tmp_path: Path) -> None:
    network = write(tmp_path / "a")
    argmax, sampled = load(f"policy:{tmp_path / 'a'}"), load(f"policy:{tmp_path / 'a'}?mode=sample")
    assert argmax.sections == GAME.sections(observe_after=True)
    seen = views(argmax.sections)
    with torch.no_grad():
        chances = masked(network(torch.from_numpy(seen.observation))[0], torch.from_numpy(seen.action_mask))
    assert argmax.act(seen).tolist() == chances.argmax(-1).tolist()
    actions = sampled.act(seen)
    assert seen.action_mask[np.arange(len(actions)), actions].all()
    assert actions.tolist() != argmax.act(seen).tolist()


def test_state_continues_the_same_lots(tmp_path: Path) -> None:
    write(tmp_path / "a")
    one, other = (load(f"policy:{tmp_path / 'a'}?mode=sample") for _ in range(2))
    seen = views(one.sections)
    one.act(seen)
    other.set_state(json.loads(json.dumps(one.get_state())))
    assert one.act(seen).tolist() == other.act(seen).tolist()


def test_the_best_of_a_run_is_taken(tmp_path: Path) -> None:
    write(tmp_path / "run" / "latest")
    assert stored.locate(tmp_path / "run") == tmp_path / "run" / "latest"
    write(tmp_path / "run" / "best")
    assert stored.locate(tmp_path / "run") == tmp_path / "run" / "best"
    (tmp_path / "run" / "best").rename(tmp_path / "run" / "best.old")
    assert stored.locate(tmp_path / "run") == tmp_path / "run" / "best.old"


def test_both_seats_may_be_played_by_one_that_learnt_both(tmp_path: Path) -> None:
    write(tmp_path / "a", seat="both")
    for seat in ("sherlock", "moriarty"):
        assert isinstance(load(f"policy:{tmp_path / 'a'}", seat), Policy)


def test_another_seat_is_refused(tmp_path: Path) -> None:
    write(tmp_path / "a")
    with pytest.raises(BadAgent, match="seat: trained for moriarty, cannot play sherlock"):
        load(f"policy:{tmp_path / 'a'}", "sherlock")


def test_other_rules_are_refused(tmp_path: Path) -> None:
    write(tmp_path / "a", max_rounds=6)
    load(f"policy:{tmp_path / 'a'}", max_rounds=6)
    with pytest.raises(BadAgent, match=r"options\.max_rounds: the checkpoint has 6, here it is 8"):
        load(f"policy:{tmp_path / 'a'}")


def put(field: str, value: Any) -> Callable[[dict[str, Any]], None]:
    return lambda data: data.update({field: value})


def longer(data: dict[str, Any]) -> None:
    data["observation"][2][1] += 1


def shorter(data: dict[str, Any]) -> None:
    del data["observation"][-1]


def other_network(data: dict[str, Any]) -> None:
    data["network"]["hidden"] = [17]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (put("format", 99), "format: 99; this version reads format 1"),
        (put("game", "chess"), "game: the checkpoint has 'chess', here it is 'who_is_moriarty'"),
        (put("rules_version", "0"), "rules_version: the checkpoint has '0'"),
        (put("observation_digest", "x"), "observation_digest: the checkpoint has 'x'"),
        (put("actions_digest", "x"), "actions_digest: the checkpoint has 'x'"),
        (longer, r"observation\[2\]: the checkpoint has \('round', 9\), here it is \('round', 8\)"),
        (shorter, r"observation\[21\]: the checkpoint has None, here it is \('after', 231\)"),
        (put("sections", []), r"observation\[21\]: the checkpoint has \('after', 231\), here it is None"),
        (lambda data: data.pop("steps"), "steps: missing"),
        (other_network, r"form\.weight: shape \(9, 16\), the manifest's network has \(9, 17\)"),
        (lambda data: data["network"].update(kind="cnn"), r"manifest\.json: network: network\.kind: 'cnn'"),
        (lambda data: data["network"].pop("after"), r"manifest\.json: network: 'after'"),
        (put("network", []), r"network: damaged: \[\]; a dict is needed"),
        (put("options", None), r"options: damaged: None; a dict is needed"),
        (put("sections", 3), r"sections: damaged: 3; a list is needed"),
        (put("observation", [3, None]), r"observation\[0\]: the checkpoint has 3, here it is"),
        (lambda data: data["network"].update(hidden=["x"]), r"manifest\.json: network: "),
        (lambda data: data["network"].update(hidden=[-1]), r"manifest\.json: network: "),
        (lambda data: data["network"].update(hidden=[1.5]), r"manifest\.json: network: "),
        (lambda data: data["network"].update(hidden=3), r"manifest\.json: network: "),
        (lambda data: data["network"].update(after=[1]), r"manifest\.json: network: "),
        (lambda data: data["network"].update(after=["x", "y"]), r"manifest\.json: network: "),
        (lambda data: data["network"].update(foo=1), r"manifest\.json: network: "),
        (put("network", {}), r"network\.observation: the checkpoint has None, here it is 521"),
    ],
)
def test_a_manifest_that_does_not_fit_is_refused_by_field(
    tmp_path: Path, change: Callable[[dict[str, Any]], object], message: str
) -> None:
    write(tmp_path / "a")
    file = tmp_path / "a" / "manifest.json"
    data = json.loads(file.read_text(encoding="utf-8"))
    change(data)
    file.write_text(json.dumps(stored.signed(data)), encoding="utf-8")
    with pytest.raises(BadAgent, match=message):
        load(f"policy:{tmp_path / 'a'}")


def first_shape(data: dict[str, Any]) -> None:
    data["observation"][2][1] += 1
    data["observation"][3][1] -= 1


@pytest.mark.parametrize(
    "change",
    [
        put("steps", -5),
        put("seed", "x"),
        put("evaluation", [{"win_rate": 1.0}]),
        put("new", None),
        put("digest", "0" * 64),
        put("digest", 3),
        put("seat", "both"),
        first_shape,
        lambda data: data.pop("parent"),
        lambda data: data["files"].pop("policy.safetensors"),
        lambda data: data["files"].update({"policy.safetensors": "0" * 64}),
        lambda data: data["config"].update(seed=3),
    ],
)
def test_a_manifest_that_was_changed_is_refused(tmp_path: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """Also where no field by itself is wrong."""
    write(tmp_path / "a")
    file = tmp_path / "a" / "manifest.json"
    data = json.loads(file.read_text(encoding="utf-8"))
    file.write_text(json.dumps(data, indent=3, sort_keys=True), encoding="utf-8")
    load(f"policy:{tmp_path / 'a'}")  # it may stand there otherwise, if it says the same
    change(data)
    file.write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(BadAgent, match=r"manifest\.json: (damaged: it is not as it was written|digest: damaged)"):
        load(f"policy:{tmp_path / 'a'}")


@pytest.mark.parametrize("field", ["files", "digest"])
def test_a_checkpoint_without_digests_is_refused(tmp_path: Path, field: str) -> None:
    write(tmp_path / "a")
    file = tmp_path / "a" / "manifest.json"
    data = json.loads(file.read_text(encoding="utf-8"))
    del data[field]
    file.write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(BadAgent, match=rf"manifest\.json: {field}: missing"):
        load(f"policy:{tmp_path / 'a'}")


def test_weights_that_the_manifest_does_not_name_are_refused(tmp_path: Path) -> None:
    write(tmp_path / "a")
    file = tmp_path / "a" / "manifest.json"
    data = json.loads(file.read_text(encoding="utf-8"))
    data["files"] = {"other": "0"}
    file.write_text(json.dumps(stored.signed(data)), encoding="utf-8")
    with pytest.raises(BadAgent, match=r"manifest\.json: files\.policy\.safetensors: missing"):
        load(f"policy:{tmp_path / 'a'}")


@pytest.mark.parametrize("content", ["", "{", "[]", '"x"', "[" * 100_000])
def test_a_damaged_manifest_is_refused(tmp_path: Path, content: str) -> None:
    write(tmp_path / "a")
    (tmp_path / "a" / "manifest.json").write_text(content, encoding="utf-8")
    with pytest.raises(BadAgent, match=r"manifest\.json: damaged"):
        load(f"policy:{tmp_path / 'a'}")


@pytest.mark.parametrize("keep", [0, 20, 300])
def test_damaged_weights_are_refused(tmp_path: Path, keep: int) -> None:
    write(tmp_path / "a")
    file = tmp_path / "a" / "policy.safetensors"
    file.write_bytes(file.read_bytes()[:keep])
    with pytest.raises(BadAgent, match=r"policy\.safetensors: missing or damaged"):
        load(f"policy:{tmp_path / 'a'}")
    file.unlink()
    with pytest.raises(BadAgent, match=r"policy\.safetensors: missing or damaged"):
        load(f"policy:{tmp_path / 'a'}")


@pytest.mark.parametrize("place", [0.0, 0.01, 0.3, 0.5, 0.99, 1.0])
@pytest.mark.parametrize("bit", [0, 7])
def test_one_wrong_bit_in_the_weights_is_refused(tmp_path: Path, place: float, bit: int) -> None:
    """By acting, and already by what looks at a config."""
    write(tmp_path / "a")
    file = tmp_path / "a" / "policy.safetensors"
    content = bytearray(file.read_bytes())
    content[round(place * (len(content) - 1))] ^= 1 << bit
    file.write_bytes(content)
    message = r"policy\.safetensors: missing or damaged: it is not as it was written"
    with pytest.raises(BadAgent, match=message):
        load(f"policy:{tmp_path / 'a'}")
    assert re.search(message, registry.problem(f"policy:{tmp_path / 'a'}") or "")


def test_what_acting_does_not_read_may_be_left_out(tmp_path: Path) -> None:
    write(tmp_path / "a")
    (tmp_path / "a" / "other").write_text("of a run", encoding="utf-8")
    seal(tmp_path / "a")
    (tmp_path / "a" / "other").unlink()
    load(f"policy:{tmp_path / 'a'}")
    assert registry.problem(f"policy:{tmp_path / 'a'}") is None


def seal(folder: Path) -> None:
    """Makes the manifest anew over the files as they are."""
    checkpoint.seal(folder, json.loads((folder / "manifest.json").read_text(encoding="utf-8")))


def test_weights_that_are_none_are_refused(tmp_path: Path) -> None:
    write(tmp_path / "a")
    (tmp_path / "a" / "policy.safetensors").write_bytes(b"x" * 300)
    seal(tmp_path / "a")
    with pytest.raises(BadAgent, match=r"policy\.safetensors: missing or damaged: "):
        load(f"policy:{tmp_path / 'a'}")


def test_weights_of_another_name_are_refused(tmp_path: Path) -> None:
    write(tmp_path / "a")
    file = tmp_path / "a" / "policy.safetensors"
    weights = load_file(file)
    save_file({**weights, "extra": torch.zeros(1)}, file)
    seal(tmp_path / "a")
    with pytest.raises(BadAgent, match=r"extra: shape \(1,\), the manifest's network has None"):
        load(f"policy:{tmp_path / 'a'}")

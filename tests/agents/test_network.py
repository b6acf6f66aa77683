from __future__ import annotations

from itertools import product

import numpy as np
import pytest
import torch

from reichenbach.agents.network import Network, NetworkSpec, masked, sample, shapes

AFTER = NetworkSpec("after", (8,), observation=11, actions=3, after=(2, 8))  # rows of two features
# two pawns, three areas, four deeds and one action more: six rows of two features
GRID = NetworkSpec("after", (8,), observation=17, actions=25, after=(2, 14), grid=(2, 3, 4))


def test_the_form_is_quadratic_in_each_actions_row() -> None:
    network = Network(AFTER)
    with torch.no_grad():
        network.policy.weight.zero_()
        network.policy.bias.zero_()
        network.form.weight.zero_()
        network.form.bias.copy_(torch.tensor([1.0, 2.0, 3.0, 4.0, 5.0]))
    observation = torch.zeros(1, 11)
    observation[0, 2:8] = torch.tensor([0.0, 0.0, 0.5, 0.25, 1.0, 2.0])
    logits, value = network(observation)
    # x + 2y + 3xx + 4xy + 5yy
    expected = [0.0, 0.5 + 0.5 + 0.75 + 0.5 + 0.3125, 1 + 4 + 3 + 8 + 20]
    assert logits[0].tolist() == pytest.approx(expected)
    assert value.shape == (1,)


def test_the_trunk_does_not_read_the_rows() -> None:
    network = Network(AFTER)
    one, other = torch.rand(1, 11), torch.rand(1, 11)
    other[:, :2], other[:, 8:] = one[:, :2], one[:, 8:]
    assert torch.equal(network(one)[1], network(other)[1])
    other[:, 9] += 1
    assert not torch.equal(network(one)[1], network(other)[1])


SEPARATE = NetworkSpec("separate", (8, 4), observation=11, actions=3, value_hidden=(6,), activation="tanh")


def test_separate_trunks_share_nothing() -> None:
    network = Network(SEPARATE)
    observation = torch.rand(5, 11)
    logits, value = network(observation)
    assert (logits.shape, value.shape) == ((5, 3), (5,))
    with torch.no_grad():
        next(network.value_trunk.parameters()).zero_()
        assert torch.equal(network(observation)[0], logits)
        assert not torch.equal(network(observation)[1], value)
    first = network.trunk[0](observation).tanh()
    assert torch.equal(network.policy(network.trunk[2](first).tanh()), logits)


@pytest.mark.parametrize("spec", [AFTER, GRID, SEPARATE, NetworkSpec("mlp", (8, 4), observation=11, actions=3)])
def test_json_and_shapes(spec: NetworkSpec) -> None:
    assert NetworkSpec.from_json(spec.to_json()) == spec
    assert shapes(spec) == {name: tuple(value.shape) for name, value in Network(spec).state_dict().items()}


def test_an_unknown_kind_is_refused() -> None:
    with pytest.raises(ValueError, match=r"network\.kind: 'cnn'; allowed: mlp, after, separate"):
        NetworkSpec.from_json({**AFTER.to_json(), "kind": "cnn"})
    with pytest.raises(ValueError, match=r"network\.activation: 'elu'; allowed: relu, tanh"):
        NetworkSpec.from_json({**AFTER.to_json(), "activation": "elu"})


def test_a_spec_of_an_earlier_version_is_read() -> None:
    data = AFTER.to_json()
    del data["activation"], data["value_hidden"], data["grid"]
    assert NetworkSpec.from_json(data) == AFTER


def test_masked_actions_have_no_chance() -> None:
    chances = masked(torch.tensor([[1.0, 5.0, 1.0]]), torch.tensor([[1, 0, 1]], dtype=torch.int8))
    assert chances.exp()[0].tolist() == [0.5, 0.0, 0.5]


def test_samples_follow_the_chances() -> None:
    odds = torch.tensor([0.5, 0.3, 0.2, 0.0])
    n = 40_000
    drawn = sample(odds.log().clamp(min=-1e8).expand(n, 4), torch.Generator().manual_seed(1))
    shares = np.bincount(drawn.numpy(), minlength=4) / n
    assert np.abs(shares - odds.numpy()).max() < 5 * np.sqrt(0.25 / n)
    assert shares[3] == 0


def test_over_a_grid_the_parts_are_added_action_by_action() -> None:
    torch.manual_seed(5)
    network = Network(GRID)
    observation = torch.rand(1, 17)
    observation[0, 3:14:2] = torch.tensor([1.0, 0, 1, 0, 0, 0])  # the last feature of a row says whether it counts
    observation[0, 4:6] = observation[0, 8:14] = 0  # one that does not is all zeros
    rows = observation[0, 2:14].reshape(2, 3, 2)
    of_pawn = [(rows[0, 0] + rows[0, 2]) / 2, torch.zeros(2)]
    with torch.no_grad():
        logits, _ = network(observation)
        base = torch.cat([observation[:, :2], observation[:, 14:]], 1)
        trunk = network.trunk(base)
        heads, form, deeds = network.policy(trunk)[0], network.form(trunk)[0], network.deeds(trunk)[0]
        means = network.means(trunk)[0]
    for pawn, area, deed in product(range(2), range(3), range(4)):
        x, y = observation[0, 2 + 2 * (3 * pawn + area) :][:2]
        row = form @ torch.stack([x, y, x * x, x * y, y * y])
        expected = (
            row + heads[3 * pawn + area] + heads[6 + 4 * pawn + deed] + deeds[2 * deed] * x + deeds[2 * deed + 1] * y
        )
        expected = expected + means @ of_pawn[pawn]
        assert torch.isclose(logits[0, 4 * (3 * pawn + area) + deed], expected, atol=1e-5)
    assert torch.isclose(logits[0, 24], heads[14], atol=1e-6)

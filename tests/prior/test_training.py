"""Training on the processor: the loss falls, seeds repeat, checkpoints go on, and NumPy computes what PyTorch does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import segue as sg
from segue.library import Library
from segue.prior.examples import Examples
from segue.prior.network import Network
from segue.prior.tables import PLACING, figure_tables, standard_figure
from segue.prior.weights import read_prior, write_prior

torch = pytest.importorskip("torch")

from segue.prior.training.figure import TorchFigure, matrices_of  # noqa: E402
from segue.prior.training.loop import Plan, Trainer  # noqa: E402
from segue.prior.training.validation import (  # noqa: E402
    contacts_of,
    familiarity,
    losses,
    mirror_error,
    placed,
    placing_error,
    predict,
    validate,
)
from segue.prior.training.windows import moved_after  # noqa: E402

TINY = {"width": 64, "layers": 2, "inner": 64, "frames": 1200, "rate": 3e-3}


@pytest.fixture(scope="module")
def examples() -> Examples:
    motions = {name: getattr(sg.clips, name) for name in ("walk", "run", "kick")}
    return Examples.of_clips(Library.from_motions(motions))


def trainer(examples: Examples, **changed: Any) -> Trainer:
    torch.set_num_threads(1)
    return Trainer(examples, figure_tables(), Plan(**{"steps": 30, **TINY, **changed}))


def test_forward_kinematics_is_the_figures_own() -> None:
    figure, tables = standard_figure(), figure_tables()
    poses = sg.clips.walk.poses[:5]
    flat = (torch.tensor(part, dtype=torch.float64) for part in (poses.root / figure.leg_length, poses.hinges))
    root, hinges = (each.float() for each in flat)
    points = TorchFigure(tables, torch.device("cpu")).forward(
        root, matrices_of(torch.tensor(poses.balls).float()), hinges
    )
    positions, _ = figure.forward(poses)
    assert np.allclose(points[:, : len(tables.parents)].numpy() * figure.leg_length, positions, atol=1e-5)
    toe = figure.point("left_toe_tip", poses)
    assert np.allclose(points[:, tables.feet[1]].numpy() * figure.leg_length, toe, atol=1e-5)


def test_mirroring_twice_changes_nothing(examples: Examples) -> None:
    figure = TorchFigure(figure_tables(), torch.device("cpu"))
    frames = (examples.root[None, :9], examples.balls[None, :9], examples.hinges[None, :9])
    root, balls, hinges = (torch.tensor(part) for part in frames)
    all_of_them = torch.ones(1, dtype=torch.bool)
    once = figure.mirrored(root, matrices_of(balls), hinges, all_of_them)
    twice = figure.mirrored(*once, all_of_them)
    assert torch.allclose(twice[1], matrices_of(balls))
    left, right = (figure.forward(*each)[:, :, figure_tables().feet] for each in (once, twice))
    assert torch.allclose(left[:, :, [2, 3, 0, 1]] * figure.mirror, right, atol=1e-5)


def test_the_loss_falls_and_seeds_repeat(examples: Examples) -> None:
    third = trainer(examples, seed=1)
    gap = third.windows.choose(16, 15, varied=False)
    first = trainer(examples)
    before = losses(first.figure, gap, predict(first.network.eval(), first.figure, gap)).mean()
    first.run()
    second = trainer(examples)
    second.run()
    after = losses(first.figure, gap, predict(first.network.eval(), first.figure, gap)).mean()
    assert after < 0.9 * before
    assert all(np.array_equal(values, second.arrays[name]) for name, values in first.arrays.items())
    assert not np.array_equal(first.arrays["enter.weight"], third.arrays["enter.weight"])


def test_frames_after_a_gap_are_displaced_and_the_network_learns_it(examples: Examples) -> None:
    made = trainer(examples, steps=40, placing=0.9, ways=0.0)
    made.left_out.generator.manual_seed(3)
    gap = made.windows.choose(32, 15, varied=False, displaced=True)
    stop = gap.inside.stop
    back, _ = moved_after(gap.rows[..., :3], torch.eye(3).expand(*gap.rows.shape[:2], 1, 3, 3), stop, -gap.displaced)
    moved = (gap.rows[..., :3] - back)[:, stop][:, [0, 2]]
    assert torch.allclose(moved, gap.displaced[:, [0, 2]], atol=1e-5)
    assert torch.equal(back[:, :stop], gap.rows[:, :stop, :3])
    assert float(gap.displaced.abs().max()) > 0.1
    before = placing_error(placed(made.network.eval(), gap), gap.displaced).mean()
    made.run()
    assert placing_error(placed(made.network.eval(), gap), gap.displaced).mean() < before


def test_mirror_images_come_to_have_mirrored_paths(examples: Examples) -> None:
    made = trainer(examples, steps=80, paired=1.0, ways=0.0, placing=0.0, seed=3)
    gap = made.windows.choose(16, 15, varied=True, paired=True)
    truth = predict(made.network, made.figure, gap)._replace(
        rows=gap.rows[:, gap.inside], points=gap.points[:, gap.inside]
    )
    assert mirror_error(made.figure, truth) < 2e-3, "the second half are the mirror images of the first"

    @torch.no_grad()
    def asymmetry() -> float:
        found = predict(made.network.eval(), made.figure, gap)
        apart = (found.points - gap.points[:, gap.inside]).norm(dim=-1).mean()
        return float(mirror_error(made.figure, found) / apart)

    with torch.no_grad():  # a network that tells left from right
        made.network.leave.weight += 0.05 * torch.randn(made.network.leave.weight.shape)
    before = asymmetry()
    made.run()
    assert asymmetry() < before


def test_training_goes_on_from_a_checkpoint(examples: Examples, tmp_path: Path) -> None:
    whole = trainer(examples, steps=6)
    whole.run()
    part = trainer(examples, steps=6)
    for _ in range(3):
        part.descend()
    part.save(tmp_path / "checkpoint")
    rest = trainer(examples, steps=6)
    assert rest.resume(tmp_path / "checkpoint")
    rest.run()
    assert all(np.array_equal(values, rest.arrays[name]) for name, values in whole.arrays.items())
    assert not trainer(examples, steps=7).resume(tmp_path / "checkpoint")


@pytest.mark.parametrize("way", [0, 2, PLACING])
def test_numpy_computes_what_pytorch_does(examples: Examples, tmp_path: Path, way: int) -> None:
    made = trainer(examples, steps=8)
    made.run()
    arrays = made.arrays | familiarity(made.averaged(), made.figure, made.windows, made.left_out, 8)
    write_prior(tmp_path / "my.prior", arrays, {})
    kept, tables = read_prior(tmp_path / "my.prior").arrays, figure_tables()
    made.start_from(kept)  # the weights as they were rounded
    network = made.averaged()
    gap = made.windows.choose(3, 12, varied=True)
    with torch.no_grad():
        expected = predict(network, made.figure, gap, way)
    ours = Network(kept, tables.input_count, tables.row_count)
    for k in range(len(gap.rows)):
        inputs = (gap.described[k].numpy(), gap.visible[k, :, None].numpy(), gap.flags[k].numpy())
        answer = ours(*inputs, gap.frames, way)
        assert np.allclose(answer.contacts, torch.sigmoid(expected.contacts[k]).numpy(), atol=1e-4)
        assert np.allclose(answer.error, expected.log_error[k].exp().numpy(), rtol=1e-4)
        rows = expected.tokens[k] @ network.leave.weight[: tables.row_count].T + network.leave.bias[: tables.row_count]
        assert np.allclose(answer.added, (rows * network.output_scale).detach().numpy(), atol=1e-4)


def test_validation_is_on_clips_left_out(examples: Examples) -> None:
    out = examples.left_out()
    assert 0 < len(out) < len(examples.names)
    made = trainer(examples, steps=1)
    measures = validate(made.averaged(), made.figure, made.left_out, 4)
    assert measures
    assert all(np.isfinite(value) for row in measures.values() for value in row.values())


def test_a_foot_that_stands_is_in_contact() -> None:
    points = torch.zeros(1, 6, 4, 3)
    points[:, :, 1, 1] = 0.5  # one is high
    points[:, :, 2, 0] = torch.arange(6) * 0.1  # and one slides
    found = contacts_of(points, torch.arange(4))
    assert found[0].mean(0).tolist() == [1.0, 0.0, 0.0, 1.0]

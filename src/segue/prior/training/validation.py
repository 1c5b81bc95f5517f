"""The loss of training, and the errors of a network on persons or clips that are left out, with their calibration."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits

from segue.prior.tables import PLACING, RATE, WAYS, profile
from segue.prior.training.figure import TorchFigure, TorchNetwork
from segue.prior.training.windows import Gap, Windows
from segue.typing import Array, Single

_UPRIGHT = (1.0, 1.4, 1.0)
"""Weight of errors along x, y and z: heights vary less than places, and show more."""
_SPEED, _HEIGHT = 0.25, 0.12
"""Legs a second below which, and legs above the floor up to which, a point of a foot is in contact."""
_ROWS, _VELOCITY, _CONTACT, _SLIDE, _HOVER, _ERROR = 1.0, 2.0, 0.1, 10.0, 3.0, 0.05
_FEET = 2.0
"""Weight of squared distances of heels and toe tips, of which a viewer sees millimetres."""
_TURN = 0.6
"""Legs that a radian counts as, where the motion after a gap is placed."""
_RELAXED = 0.05
"""Weight of all ways beside that of the nearest to the truth."""


class Predicted(NamedTuple):
    """The network's answer: rows (B, N, 65) and points (B, N, P, 3) of paths, contact logits (B, N, 4), log error
    (B, N), and tokens (B, N, d)."""

    rows: Tensor
    points: Tensor
    contacts: Tensor
    log_error: Tensor
    tokens: Tensor


def predict(network: TorchNetwork, figure: TorchFigure, gap: Gap, way: Tensor | int = 0) -> Predicted:
    """Return the network's answer for gaps; what is known stays. way: one of the ways, or (B,) of them."""
    device = gap.rows.device
    ways = torch.as_tensor(way, device=device).expand(len(gap.rows))
    with torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
        add, contacts, log_error, tokens = network(gap.described, gap.visible, gap.flags, gap.frames, ways)
    counts = torch.tensor(profile(gap.frames), dtype=torch.float32, device=device)[:, None] * gap.missing
    rows = gap.base + add * counts
    return Predicted(rows, figure.forward(*figure.frames(rows)), contacts, log_error, tokens)


def contacts_of(points: Tensor, feet: Tensor) -> Tensor:
    """Return which of the feet's points are in contact, (B, N, 4): low, and slow before or after the frame."""
    paths = points[:, :, feet]
    steps = (paths[:, 1:] - paths[:, :-1]).norm(dim=-1) * RATE
    speed = torch.minimum(torch.cat([steps[:, :1], steps], 1), torch.cat([steps, steps[:, -1:]], 1))
    return ((speed < _SPEED) & (paths[..., 1] < _HEIGHT)).float()


def path_error(points: Tensor, truth: Tensor, weights: Tensor | None = None) -> Tensor:
    """Return the root of summed squared distances of points at each frame, (B, N); weights: (P, 1) of points."""
    upright = torch.tensor(_UPRIGHT, device=points.device)
    squares = ((points - truth) * upright).square()
    return ((squares if weights is None else squares * weights).sum((-1, -2)) + 1e-6).sqrt()


def point_error(points: Tensor, truth: Tensor) -> Tensor:
    """Return the mean distance of points at each frame in legs, (B, N)."""
    return (points - truth).norm(dim=-1).mean(-1)


def losses(figure: TorchFigure, gap: Gap, found: Predicted) -> Tensor:
    """Return the loss of each window, (B,).

    Distances of points, of rows and of velocities, feet in contact that slide or are too high or low, contacts, and
    the estimated error.
    """
    truth = gap.points[:, gap.inside]
    feet = torch.tensor(figure.tables.feet, device=truth.device)
    contacts = contacts_of(truth, feet)
    moved = found.points[:, 1:] - found.points[:, :-1]
    slide = moved[:, :, feet].norm(dim=-1) * contacts[:, 1:] * contacts[:, :-1]
    hover = (found.points - truth)[:, :, feet, 1].abs() * contacts
    weights = torch.ones(truth.shape[2], 1, device=truth.device).index_fill_(0, feet, _FEET)
    # exponential likelihood: exp(log_error) estimates the mean distance
    error = point_error(found.points, truth).detach() + 1e-3
    return (
        path_error(found.points, truth, weights).mean(1)
        + _ROWS * (found.rows - gap.rows[:, gap.inside]).abs().mean((1, 2))
        + _VELOCITY * path_error(moved, truth[:, 1:] - truth[:, :-1]).mean(1)
        + _SLIDE * slide.mean((1, 2))
        + _HOVER * hover.mean((1, 2))
        + _CONTACT * binary_cross_entropy_with_logits(found.contacts, contacts, reduction="none").mean((1, 2))
        + _ERROR * (error * torch.exp(-found.log_error) + found.log_error).mean(1)
    )


def mirror_error(figure: TorchFigure, found: Predicted) -> Tensor:
    """Return the mean distance of paths from those of their mirror images, which make up the second half."""
    rows, images = found.rows.chunk(2)
    every = torch.ones(len(images), dtype=torch.bool, device=images.device)
    back = figure.forward(*figure.mirrored(*figure.frames(images), every))
    return path_error(back, found.points[: len(rows)]).mean()


def nearest_way_loss(network: TorchNetwork, figure: TorchFigure, gap: Gap) -> Tensor:
    """Return the mean loss of the nearest of all ways to the truth, so that ways come to differ.

    The others count a little, so that none is left behind (Rupprecht et al. 2017, eq. 5).
    """
    count = len(gap.rows)
    several = Gap(*(each.repeat_interleave(WAYS, 0) for each in gap))
    ways = torch.arange(1, WAYS + 1, device=gap.rows.device).repeat(count)
    found = predict(network, figure, several, ways)
    each = losses(figure, several, found).view(count, WAYS)
    apart = path_error(found.points, several.points[:, several.inside]).mean(1).view(count, WAYS).detach()
    chosen = torch.zeros_like(each).scatter_(1, apart.argmin(1, keepdim=True), 1.0)
    weight = (1.0 - _RELAXED) * chosen + _RELAXED / WAYS
    return (each * weight).sum(1).mean()


def placed(network: TorchNetwork, gap: Gap) -> Tensor:
    """Return how far the frames after gaps seem displaced, (B, 3), see `Gap`: the first outputs of a way of its own."""
    ways = torch.full((len(gap.rows),), PLACING, device=gap.rows.device)
    with torch.autocast(gap.rows.device.type, torch.bfloat16, enabled=gap.rows.device.type == "cuda"):
        added = network(gap.described, gap.visible, gap.flags, gap.frames, ways)[0]
    return added[..., :3].mean(1)


def placing_error(found: Tensor, displaced: Tensor) -> Tensor:
    """Return the distance (B,) in legs between estimated and true displacements (B, 3)."""
    weight = torch.tensor([1.0, _TURN, 1.0], device=found.device)
    return (((found - displaced) * weight).square().sum(-1) + 1e-6).sqrt()


GAPS = (5, 15, 30, 60)
_COUNT = 1024
_SETTINGS = ((10, "10"), (1, "1"))
_DIRECTIONS = 32
"""Directions in which tokens vary most, along which a gap can be unlike the training set."""


@torch.no_grad()
def validate(network: TorchNetwork, figure: TorchFigure, windows: Windows, count: int = _COUNT) -> dict[str, Any]:
    """Return measures by gap: frames of the gap / frames known after it.

    path: distance of points as a part of the cubic path's. f1: of contacts. error, estimate: mean distance in legs, and
    the network's estimate; calibration: their median ratio; correlation: of both over gaps. nearest_way, spread:
    distance of the nearest way, and of ways from their mean, as parts of the mean path's distance. placing: what is
    left of a displacement of the frames after the gap, as a part of it.
    """
    windows.generator.manual_seed(1)
    found: dict[str, Any] = {}
    for frames in GAPS:
        for after, word in _SETTINGS:
            gap = windows.choose(count, frames, varied=False, after=after)
            if len(gap.rows):
                found[f"{frames}/{word}"] = _measures(network, figure, gap)
                gap = windows.choose(count, frames, varied=False, after=after, displaced=True)
                left = placing_error(placed(network, gap), gap.displaced).mean()
                whole = placing_error(torch.zeros_like(gap.displaced), gap.displaced).mean()
                found[f"{frames}/{word}"]["placing"] = round((left / whole).item(), 4)
    return found


def _measures(network: TorchNetwork, figure: TorchFigure, gap: Gap) -> dict[str, float]:
    answer = predict(network, figure, gap)
    truth = gap.points[:, gap.inside]
    cubic = figure.forward(*figure.frames(gap.base))
    contacts = contacts_of(truth, torch.tensor(figure.tables.feet, device=truth.device)) > 0
    guessed = answer.contacts > 0
    ways = torch.stack([predict(network, figure, gap, way).points for way in range(1, WAYS + 1)], 1)
    mean = path_error(answer.points, truth).mean()
    nearest = torch.stack([path_error(ways[:, k], truth).mean(1) for k in range(ways.shape[1])]).amin(0).mean()
    spread = (ways - ways.mean(1, keepdim=True)).norm(dim=-1).mean()
    error = point_error(answer.points, truth)
    by_gap, estimates = error.mean(1), answer.log_error.exp().mean(1)
    values = {
        "path": mean / path_error(cubic, truth).mean(),
        "f1": 2 * (guessed & contacts).sum() / (guessed.sum() + contacts.sum()).clamp_min(1),
        "error": error.mean(),
        "estimate": estimates.mean(),
        "calibration": (by_gap / estimates).median(),
        "correlation": torch.corrcoef(torch.stack([by_gap, estimates]))[0, 1] if len(by_gap) > 1 else torch.ones(()),
        "nearest_way": nearest / mean,
        "spread": spread / error.mean(),
    }
    return {name: round(value.item(), 4) for name, value in values.items()}


@torch.no_grad()
def familiarity(
    network: TorchNetwork, figure: TorchFigure, windows: Windows, left_out: Windows, count: int = _COUNT
) -> dict[str, Single]:
    """Return where the mean tokens of gaps lie: their mean, directions over deviations, and usual distances.

    usual: the quantiles 50, 90, 99 and 99.9 % of distances of gaps that are left out.
    """
    tokens = _tokens(network, figure, windows, count)
    mean = tokens.mean(0)
    _, deviations, directions = np.linalg.svd(tokens - mean, full_matrices=False)
    most = min(_DIRECTIONS, len(deviations))
    scaled = directions[:most] / (deviations[:most, None] / np.sqrt(len(tokens)) + 1e-6)
    others = _tokens(network, figure, left_out, count)
    others = others if len(others) else tokens
    distances = np.sqrt(np.square((others - mean) @ scaled.T).mean(1))
    usual = np.quantile(distances, [0.5, 0.9, 0.99, 0.999])
    arrays = {"familiar_mean": mean, "familiar_directions": scaled, "familiar_usual": usual}
    return {name: values.astype(np.float32) for name, values in arrays.items()}


def _tokens(network: TorchNetwork, figure: TorchFigure, windows: Windows, count: int) -> Array:
    windows.generator.manual_seed(2)
    gaps = [windows.choose(count, frames, varied=False) for frames in (8, 15, 30)]
    parts = [predict(network, figure, gap).tokens.float().mean(1) for gap in gaps if len(gap.rows)]
    width = network.norm.normalized_shape[0]
    return torch.cat(parts).double().cpu().numpy() if parts else np.zeros((0, width))

"""What training minimises."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits

from segue.prior.tables import RATE, profile
from segue.prior.training.figure import TorchFigure
from segue.prior.training.network import TorchNetwork
from segue.prior.training.windows import Gap

_UPRIGHT = (1.0, 1.4, 1.0)
"""Weight of errors along x, y and z: heights vary less than places, and show more."""
_SPEED, _HEIGHT = 0.25, 0.12
"""Legs a second below which, and legs above the floor up to which, a point of a foot is in contact."""
_ROWS, _VELOCITY, _CONTACT, _SLIDE, _ERROR, _WAYS = 1.0, 2.0, 0.1, 10.0, 0.05, 0.3
_RELAXED = 0.05
"""Weight of the ways that are not the nearest to the truth (Rupprecht et al. 2017, eq. 5)."""


class Predicted(NamedTuple):
    """The network's answer: rows (B, N, 65) and points (B, N, P, 3) of the mean path, contact logits (B, N, 4), log
    error (B, N), rows of the ways (B, N, K, 65) and their logits (B, N, K, 4), and tokens (B, N, d)."""

    rows: Tensor
    points: Tensor
    contacts: Tensor
    log_error: Tensor
    ways: Tensor
    way_contacts: Tensor
    tokens: Tensor


def predict(network: TorchNetwork, figure: TorchFigure, gap: Gap) -> Predicted:
    """Return the network's answer for gaps; what is known stays."""
    mixed = torch.autocast(gap.rows.device.type, torch.bfloat16, enabled=gap.rows.device.type == "cuda")
    with mixed:
        add, contacts, log_error, ways, way_contacts, tokens = network(
            gap.described, gap.visible, gap.flags, gap.frames
        )
    counts = torch.tensor(profile(gap.frames), dtype=torch.float32, device=add.device)[:, None] * gap.missing
    rows = gap.base + add * counts
    paths = gap.base[:, :, None] + ways * counts[:, :, None]
    return Predicted(rows, figure.forward(*figure.frames(rows)), contacts, log_error, paths, way_contacts, tokens)


def contacts_of(points: Tensor, feet: Tensor) -> Tensor:
    """Return which of the feet's points are in contact, (B, N, 4): low, and slow before or after the frame."""
    paths = points[:, :, feet]
    steps = (paths[:, 1:] - paths[:, :-1]).norm(dim=-1) * RATE
    speed = torch.minimum(torch.cat([steps[:, :1], steps], 1), torch.cat([steps, steps[:, -1:]], 1))
    return ((speed < _SPEED) & (paths[..., 1] < _HEIGHT)).float()


def path_error(points: Tensor, truth: Tensor) -> Tensor:
    """Return the root of summed squared distances of points at each frame, (B, N)."""
    weight = torch.tensor(_UPRIGHT, device=points.device)
    return (((points - truth) * weight).square().sum((-1, -2)) + 1e-6).sqrt()


def point_error(points: Tensor, truth: Tensor) -> Tensor:
    """Return the mean distance of points at each frame in legs, (B, N)."""
    return (points - truth).norm(dim=-1).mean(-1)


def _path_loss(rows: Tensor, points: Tensor, gap: Gap, truth: Tensor, contacts: Tensor, feet: Tensor) -> Tensor:
    """Return the loss of paths, (): distance of points, of rows, of velocities, and feet that slide in contact."""
    moved = points[:, 1:] - points[:, :-1]
    slide = moved[:, :, feet].norm(dim=-1) * contacts[:, 1:] * contacts[:, :-1]
    return (
        path_error(points, truth).mean()
        + _ROWS * (rows - gap.rows[:, gap.inside]).abs().mean()
        + _VELOCITY * path_error(moved, truth[:, 1:] - truth[:, :-1]).mean()
        + _SLIDE * slide.mean()
    )


def total_loss(figure: TorchFigure, gap: Gap, found: Predicted, scale: Tensor) -> Tensor:
    """Return what training minimises, ().

    scale: (65,) of what is added to the cubic path, by which the nearest of the ways is chosen.
    """
    truth = gap.points[:, gap.inside]
    feet = torch.tensor(figure.tables.feet, device=truth.device)
    contacts = contacts_of(truth, feet)
    loss = _path_loss(found.rows, found.points, gap, truth, contacts, feet)
    loss = loss + _CONTACT * binary_cross_entropy_with_logits(found.contacts, contacts)
    # exponential likelihood: exp(log_error) estimates the mean distance
    error = point_error(found.points, truth).detach() + 1e-3
    loss = loss + _ERROR * (error * torch.exp(-found.log_error) + found.log_error).mean()
    apart = ((found.ways - gap.rows[:, gap.inside][:, :, None]) / scale).abs().mean((1, 3))  # (B, K)
    nearest = apart.detach().argmin(1)
    pick = torch.arange(len(nearest), device=nearest.device)
    rows = found.ways[pick, :, nearest]
    way = _path_loss(rows, figure.forward(*figure.frames(rows)), gap, truth, contacts, feet)
    way = way + _CONTACT * binary_cross_entropy_with_logits(found.way_contacts[pick, :, nearest], contacts)
    return loss + _WAYS * (way + _RELAXED * apart.mean())

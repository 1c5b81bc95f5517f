"""How well a network does on persons or clips that are left out, and how its estimate of the error is calibrated."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from segue.prior.tables import WAYS
from segue.prior.training.figure import TorchFigure
from segue.prior.training.losses import contacts_of, path_error, placed, placing_error, point_error, predict
from segue.prior.training.network import TorchNetwork
from segue.prior.training.windows import Gap, Windows
from segue.typing import Array, Single

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

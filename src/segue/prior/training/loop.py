"""Training: choose windows, predict, descend, and keep a checkpoint from which training goes on."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch

from segue.errors import ArgumentError
from segue.filesystem import atomic_write
from segue.prior.examples import Examples
from segue.prior.tables import CONTEXT, WAYS, Tables
from segue.prior.training.figure import TorchFigure, TorchNetwork
from segue.prior.training.validation import losses, mirror_error, nearest_way_loss, placed, placing_error, predict
from segue.prior.training.windows import Gap, Windows
from segue.typing import Single

_GAPS = (4, 5, 6, 7, 8, 10, 12, 15, 18, 22, 26, 30, 36, 45, 60, 75)
"""Frames of the gaps that are trained on."""
_LOW_COUNTS = 4.0
"""How many times frames near the floor count, which are 6 % of CMU's, and differ more than those of people who stand.
"""
_WARM_UP = 300
_TRIES = 100
_LAST = 0.02
"""Learning rate at the end, as a part of the highest."""
_DECAY = 0.9995
"""Of the moving average of weights that is kept."""


@dataclass(frozen=True)
class Plan:
    """How a network is trained.

    width, layers, inner: of the network. steps: of the optimiser. frames: in a batch. rate: the highest learning rate.
    ways, placing: parts of the steps that train the ways, and the place of the motion after the gap, instead of the
    mean path. paired: part of the other steps that also train gaps and their mirror images to get the same paths.
    """

    steps: int
    width: int = 320
    layers: int = 6
    inner: int = 960
    frames: int = 70_000
    rate: float = 1e-3
    weight_decay: float = 0.05
    dropout: float = 0.05
    seed: int = 0
    ways: float = 0.3
    placing: float = 0.1
    paired: float = 0.0


class Trainer:
    """Trains a network on examples; `run` goes on until the plan's last step."""

    def __init__(self, examples: Examples, tables: Tables, plan: Plan, device: str | torch.device = "cpu") -> None:
        self.plan, self.device = plan, torch.device(device)
        torch.manual_seed(plan.seed)
        self.generator = torch.Generator(self.device).manual_seed(plan.seed)
        self.numbers = np.random.default_rng(plan.seed)
        self.figure = TorchFigure(tables, self.device)
        used = np.ones(len(examples.names), bool)
        used[examples.left_out()] = False
        self.windows = Windows(examples, used, self.figure, self.generator, _LOW_COUNTS)
        self.left_out = Windows(examples, ~used, self.figure, torch.Generator(self.device))
        self.network = TorchNetwork(
            tables.input_count, tables.row_count, plan.width, plan.layers, plan.inner, plan.dropout
        ).to(self.device)
        self.optimiser = torch.optim.AdamW(
            self.network.parameters(), plan.rate, betas=(0.9, 0.98), weight_decay=plan.weight_decay
        )
        self.step = 0
        self._measure_scales()
        self.average = {name: value.detach().clone() for name, value in self.network.state_dict().items()}

    @torch.no_grad()
    def _measure_scales(self) -> None:
        gap = self.windows.choose(self.plan.frames // (20 + 2 * CONTEXT), 20, varied=True)
        inputs = gap.described[gap.visible > 0]
        self.network.input_mean.copy_(inputs.mean(0))
        self.network.input_scale.copy_(inputs.std(0).clamp_min(0.05))
        added = (gap.rows[:, gap.inside] - gap.base).flatten(0, 1)
        self.network.output_scale.copy_(added.std(0).clamp_min(0.02))

    def start_from(self, arrays: Mapping[str, Single]) -> None:
        """Take the weights of another network of the same size."""
        own = self.network.state_dict()
        self.network.load_state_dict({name: torch.tensor(arrays[name], device=self.device) for name in own})
        self.average = {name: value.detach().clone() for name, value in self.network.state_dict().items()}

    def learning_rate(self) -> float:
        """Return the learning rate of this step: a linear start, then half a cosine."""
        part = self.step / max(self.plan.steps, 1)
        fall = 0.5 * (1 + math.cos(math.pi * min(part, 1.0)))
        warm_up = min(_WARM_UP, max(1, self.plan.steps // 10))
        return self.plan.rate * min(1.0, (self.step + 1) / warm_up) * (_LAST + (1 - _LAST) * fall)

    @torch.no_grad()
    def _gap(self, parts: int = 1, *, displaced: bool = False, paired: bool = False) -> Gap:
        """Return a batch of gaps, one of so many parts of it; displaced, paired: see `Windows.choose`."""
        for _ in range(_TRIES):  # short sections have no room for long gaps
            frames = int(self.numbers.choice([each for each in _GAPS if self._fits(each)]))
            count = max(1, self.plan.frames // (frames + 2 * CONTEXT) // parts)
            gap = self.windows.choose(count, frames, varied=True, displaced=displaced, paired=paired)
            if len(gap.rows):
                return gap
        raise ArgumentError("the clips to train on are too short: clips of 2 s or more are needed")

    def _fits(self, frames: int) -> bool:
        return frames == _GAPS[0] or frames + 2 * CONTEXT + 2 <= self.windows.longest

    def descend(self) -> torch.Tensor:
        """Make one step and return the loss before it, on the device."""
        self.network.train()
        for group in self.optimiser.param_groups:
            group["lr"] = self.learning_rate()
        loss = self._loss()
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
        self.optimiser.step()
        keep = min(_DECAY, (self.step + 1) / (self.step + 100))
        with torch.no_grad():
            own = self.network.state_dict()
            torch._foreach_lerp_([self.average[name] for name in own], list(own.values()), 1 - keep)
        self.step += 1
        return loss.detach()

    def _loss(self) -> torch.Tensor:
        """Return the loss of a batch for one of the three outputs: ways, the place after the gap, or the mean path."""
        kind = self.numbers.random()
        if kind < self.plan.ways:
            return nearest_way_loss(self.network, self.figure, self._gap(WAYS))
        if kind < self.plan.ways + self.plan.placing:
            gap = self._gap(displaced=True)
            return placing_error(placed(self.network, gap), gap.displaced).mean()
        paired = self.numbers.random() < self.plan.paired
        gap = self._gap(2 if paired else 1, paired=paired)
        found = predict(self.network, self.figure, gap)
        loss = losses(self.figure, gap, found).mean()
        return loss + mirror_error(self.figure, found) if paired else loss

    def run(self, progress: Callable[[int, torch.Tensor], None] | None = None) -> None:
        """Train to the plan's last step; progress: called after each step with its number and the loss."""
        while self.step < self.plan.steps:
            loss = self.descend()
            if progress is not None:
                progress(self.step, loss)

    @property
    def arrays(self) -> dict[str, Single]:
        """The moving average of the network's weights."""
        return {name: value.float().cpu().numpy() for name, value in self.average.items()}

    def averaged(self) -> TorchNetwork:
        """Return a network with the moving average of the weights, for measuring."""
        network: TorchNetwork = TorchNetwork(
            self.figure.tables.input_count,
            self.figure.tables.row_count,
            self.plan.width,
            self.plan.layers,
            self.plan.inner,
        ).to(self.device)
        network.load_state_dict(self.average)
        network.eval()
        return network

    def save(self, path: Path) -> None:
        """Write a checkpoint."""
        state = {
            "plan": asdict(self.plan),
            "step": self.step,
            "network": self.network.state_dict(),
            "average": self.average,
            "optimiser": self.optimiser.state_dict(),
            "generator": self.generator.get_state(),
            "numbers": self.numbers.bit_generator.state,
            "torch": torch.get_rng_state(),
            "cuda": torch.cuda.get_rng_state_all(),
        }
        with atomic_write(path) as beside, beside.open("wb") as file:
            torch.save(state, file)

    def resume(self, path: Path) -> bool:
        """Go on from a checkpoint if it has the same plan; return whether it has."""
        state: dict[str, Any] = torch.load(path, map_location="cpu", weights_only=True)
        if state["plan"] != asdict(self.plan):
            return False
        self.network.load_state_dict(state["network"])
        self.optimiser.load_state_dict(state["optimiser"])
        self.average = {name: value.to(self.device) for name, value in state["average"].items()}
        self.generator.set_state(state["generator"])
        self.numbers.bit_generator.state = state["numbers"]
        torch.set_rng_state(state["torch"])
        if state["cuda"]:
            torch.cuda.set_rng_state_all(state["cuda"])
        self.step = state["step"]
        return True

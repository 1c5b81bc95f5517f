"""Windows of examples for training: chosen, varied, and described as the network reads them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import normalize

from segue.prior.examples import Examples
from segue.prior.tables import CONTEXT, GROUPS, RATE, hermite_weights
from segue.prior.training.figure import TorchFigure, matrices_of, product, rotations_of, turned
from segue.typing import Array, Flags

_SPEEDS = 0.3  # windows are played up to exp(0.3) times as fast, or as slow
_VARIED = 0.5  # part of windows with another calibration of the skeleton
_REVERSED = 0.15
_PARTIAL = 0.2
_FLOOR = 0.015  # standard deviation of the floor's height, in legs
_SIZE = 0.03  # standard deviation of the log of the size of steps
_DEGREE = np.pi / 180.0
_BALL_OFFSETS = np.array([4.0, 3.0, 4.0, 4.0, 4.0, 1.5, 1.5]) * _DEGREE
_HINGE_OFFSETS = np.array([3.0, 3.0, 3.0, 5.0, 4.0, 4.0] * 2 + [2.0, 2.0, 2.0, 4.0] * 2) * _DEGREE
"""Standard deviations of what the zero of a joint differs by between skeletons."""
_ACTIVITY = (0.25, 2.0)
"""Speeds in legs a second between which frames are chosen in proportion to their speed."""
_LOW = 0.75
"""Height of the root in legs below which a person sits, kneels or lies."""
_MISSING = ((4, 5), (2,), (3,), (2, 3), (4,), (5,), (0, 4, 5), (1, 2, 3), (1,), (0, 1, 4, 5))
"""Groups that are missing in partial gaps."""
_ASTRAY, _TURNED = (0.08, 0.35), (5.0 * _DEGREE, 20.0 * _DEGREE)
"""Standard deviations of displaced frames after a gap, in legs and rad: without a gap, and in addition a second."""


class Gap(NamedTuple):
    """B windows with a gap of N frames, W = N + 20.

    rows: (B, W, 65) the truth. points: (B, W, P, 3). base: (B, N, 65) the cubic path, the truth where it is known.
    described, visible, flags: as in `TorchNetwork.tokens`. missing: (B, 1, 65) whether a column is missing in the gap.
    displaced: (B, 3) by how much the frames after the gap are shown from where they belong: x in legs, turn in rad
    about the root at the stop of the gap, z in legs.
    """

    rows: Tensor
    points: Tensor
    base: Tensor
    described: Tensor
    visible: Tensor
    flags: Tensor
    missing: Tensor
    displaced: Tensor

    @property
    def frames(self) -> int:
        """Frames of the gap."""
        return int(self.base.shape[1])

    @property
    def inside(self) -> slice:
        """The frames of the gap among those of the window."""
        return slice(CONTEXT, CONTEXT + self.frames)


class Windows:
    """Chooses windows of examples; frames of sections where `used` is False are not chosen.

    low_counts: how many times a frame counts whose root is low.
    """

    def __init__(
        self,
        examples: Examples,
        used: Flags,
        figure: TorchFigure,
        generator: torch.Generator,
        low_counts: float = 1.0,
    ) -> None:
        device = self.device = generator.device
        self.figure, self.generator = figure, generator
        self.root = torch.tensor(examples.root, device=device)
        self.balls = normalize(torch.tensor(examples.balls, device=device), dim=-1)
        self.hinges = torch.tensor(examples.hinges, device=device)
        section = examples.section
        self.first = torch.tensor(np.searchsorted(section, section, side="left"), device=device)
        self.after = torch.tensor(np.searchsorted(section, section, side="right"), device=device)
        chosen = used[section]
        lengths = np.bincount(section, minlength=len(used))[used]
        self.longest = int(lengths.max()) if len(lengths) else 0
        rare = np.where(examples.root[:, 1] < _LOW, low_counts, 1.0)
        weights = np.where(chosen, rare * np.clip(self._speeds(), *_ACTIVITY), 0.0)
        self.heaps = torch.tensor(np.cumsum(weights) / max(weights.sum(), 1e-9), device=device)
        self.columns = torch.tensor(figure.tables.groups, device=device)
        missing = np.zeros((len(_MISSING), len(GROUPS)), bool)
        for row, groups in zip(missing, _MISSING, strict=True):
            row[list(groups)] = True
        self.missing = torch.tensor(missing, device=device)

    def _speeds(self) -> Array:
        """Return the mean speed of the points in the half second about each frame, in legs a second, (T,)."""
        speeds = []
        for part in torch.arange(len(self.root), device=self.device).split(100_000):
            here = [
                self.figure.forward(self.root[i], matrices_of(self.balls[i]), self.hinges[i])
                for i in (part, torch.minimum(part + 1, self.after[part] - 1))
            ]
            speeds.append((here[1] - here[0]).norm(dim=-1).mean(-1) * RATE)
        width = int(RATE / 2) + 1
        return np.convolve(torch.cat(speeds).double().cpu().numpy(), np.full(width, 1.0 / width), mode="same")

    def _uniform(self, *shape: int) -> Tensor:
        return torch.rand(*shape, device=self.device, generator=self.generator)

    def _normal(self, *shape: int) -> Tensor:
        return torch.randn(*shape, device=self.device, generator=self.generator)

    def _integers(self, low: int, high: int, count: int) -> Tensor:
        return torch.randint(low, high, (count,), device=self.device, generator=self.generator)

    def choose(
        self,
        count: int,
        frames: int,
        *,
        varied: bool,
        after: int = CONTEXT,
        displaced: bool = False,
        paired: bool = False,
    ) -> Gap:
        """Return up to `count` windows with gaps of some frames.

        varied: with the variations of training; else as they are, with all frames before the gap and `after` frames
        after it. displaced: with the frames after the gap shown elsewhere on the floor, and nothing known in the gap.
        paired: each followed, after all of them, by its mirror image, with nothing known in the gap.
        """
        length = frames + 2 * CONTEXT
        centre = torch.searchsorted(self.heaps, self._uniform(3 * count).double()).clamp(max=len(self.root) - 1)
        speed = torch.ones(len(centre), device=self.device)
        if varied:
            speed = torch.exp((self._uniform(len(centre)) * 2 - 1) * _SPEEDS)
            speed = torch.where(self._uniform(len(centre)) < 0.4, 1.0, speed)
        span = ((length - 1) * speed).ceil().long() + 2
        first, last = self.first[centre], self.after[centre] - span
        start = torch.minimum(torch.maximum(centre - span // 2, first), last)
        fits = (first <= last) & (self.longest > 0)
        start, speed = start[fits][:count], speed[fits][:count]
        window = self._read(start, speed, length)
        before, behind = (torch.full((len(start),), each, device=self.device) for each in (CONTEXT, after))
        known = torch.zeros(len(start), len(GROUPS), dtype=torch.bool, device=self.device)
        if varied:
            window = self._varied(*window)
            before, behind = (
                torch.where(self._uniform(len(start)) < part, CONTEXT, self._integers(1, CONTEXT, len(start)))
                for part in (0.75, 0.55)
            )
            behind = torch.where(self._uniform(len(start)) < 0.12, 1, behind)
            kinds = self.missing[self._integers(0, len(_MISSING), len(start))]
            known = ~kinds & (self._uniform(len(start)) < (0.0 if displaced or paired else _PARTIAL))[:, None]
        if paired:
            images = self.figure.mirrored(*window, torch.ones_like(start, dtype=torch.bool))
            window = tuple(torch.cat(both) for both in zip(window, images, strict=True))
            start, before, behind, known = (torch.cat([each, each]) for each in (start, before, behind, known))
        return self.gap(*window, frames, before, behind, known, self._displacements(len(start), frames, displaced))

    def _displacements(self, count: int, frames: int, displaced: bool) -> Tensor:
        """Return how far frames after gaps are displaced, (B, 3), see `Gap`."""
        if not displaced:
            return torch.zeros(count, 3, device=self.device)
        seconds = frames / RATE
        astray, turn = (least + more * seconds for least, more in (_ASTRAY, _TURNED))
        return self._normal(count, 3) * torch.tensor([astray, turn, astray], device=self.device)

    def _read(self, start: Tensor, speed: Tensor, length: int) -> tuple[Tensor, Tensor, Tensor]:
        times = torch.arange(length, device=self.device) * speed[:, None]
        low = times.floor()
        part = (times - low)[..., None]
        a = start[:, None] + low.long()
        b = torch.minimum(a + 1, (self.after[start] - 1)[:, None])
        left, right = self.balls[a], self.balls[b]
        right = torch.where((left * right).sum(-1, keepdim=True) < 0, -right, right)
        balls = normalize(torch.lerp(left, right, part[..., None]), dim=-1)
        root, hinges = (torch.lerp(each[a], each[b], part) for each in (self.root, self.hinges))
        return root, matrices_of(balls), hinges

    def _varied(self, root: Tensor, rotations: Tensor, hinges: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return windows mirrored, reversed, on another floor and of another skeleton, some of them each."""
        count = len(root)
        root, rotations, hinges = self.figure.mirrored(root, rotations, hinges, self._uniform(count) < 0.5)
        back = (self._uniform(count) < _REVERSED)[:, None, None]
        root, hinges = (torch.where(back, each.flip(1), each) for each in (root, hinges))
        rotations = torch.where(back[..., None, None], rotations.flip(1), rotations)
        some = (self._uniform(count, 1, 1) < _VARIED).float()
        size = torch.exp(self._normal(count, 1, 1) * _SIZE * some)
        lift = self._normal(count, 1, 1) * _FLOOR
        root = torch.cat([root[..., :1] * size, root[..., 1:2] + lift, root[..., 2:] * size], -1)
        scale = torch.tensor(_BALL_OFFSETS, dtype=torch.float32, device=self.device)[:, None]
        turn = rotations_of(self._normal(count, len(_BALL_OFFSETS), 3) * scale * some)[:, None]
        rotations = product(rotations, turn.expand_as(rotations))
        # a pelvis that stands otherwise does not turn the trunk and the legs: its children turn back
        undo = turn[:, :, 0].transpose(-1, -2)
        children = [1, 5, 6]
        rotations[:, :, children] = product(
            undo[:, :, None].expand_as(rotations[:, :, children]), rotations[:, :, children]
        )
        offset = torch.tensor(_HINGE_OFFSETS, dtype=torch.float32, device=self.device)
        return root, rotations, hinges + self._normal(count, 1, len(_HINGE_OFFSETS)) * offset * some

    def gap(
        self,
        root: Tensor,
        rotations: Tensor,
        hinges: Tensor,
        frames: int,
        before: Tensor,
        after: Tensor,
        known: Tensor,
        displaced: Tensor,
    ) -> Gap:
        """Return windows as the network reads them.

        before, after: (B,) frames that are visible before and after the gap. known: (B, groups) what is known inside.
        displaced: (B, 3) see `Gap`.
        """
        figure = self.figure
        root, rotations = moved_after(*canonical(root, rotations), CONTEXT + frames, displaced)
        rows, points = figure.rows(root, rotations, hinges), figure.forward(root, rotations, hinges)
        inside = slice(CONTEXT, CONTEXT + frames)
        missing = ~(known[..., None] & self.columns).any(1)[:, None]
        base = torch.where(missing, cubic_path(rows, frames, before, after), rows[:, inside])
        shown, path = rows.clone(), points.clone()
        shown[:, inside] = base
        path[:, inside] = figure.forward(*figure.frames(base))
        place = torch.arange(rows.shape[1], device=self.device)
        in_gap = ((place >= CONTEXT) & (place < CONTEXT + frames)).expand(len(rows), -1)
        context = (place >= CONTEXT - before[:, None]) & (place < CONTEXT + frames + after[:, None]) & ~in_gap
        visible = context | in_gap
        path = path.flatten(-2)
        velocity = torch.zeros_like(path)
        velocity[:, 1:] = (path[:, 1:] - path[:, :-1]) * RATE * (visible[:, 1:] & visible[:, :-1])[..., None]
        groups = context[..., None] | (in_gap[..., None] & known[:, None])
        flags = torch.cat([groups, in_gap[..., None]], -1).float()
        described = torch.cat([shown, path, velocity], -1)
        return Gap(rows, points, base, described, visible.float(), flags, missing, displaced)


def canonical(root: Tensor, rotations: Tensor) -> tuple[Tensor, Tensor]:
    """Return windows moved and turned so that the last frame before the gap stands at the origin and faces +z."""
    at = rotations[:, CONTEXT - 1, 0]
    heading = torch.atan2(at[:, 0, 2] - at[:, 2, 0], at[:, 2, 2] + at[:, 0, 0])
    turn = _about_vertical(-heading)
    origin = root[:, CONTEXT - 1 : CONTEXT] * torch.tensor([1.0, 0.0, 1.0], device=root.device)
    pelvis = product(turn.expand(-1, rotations.shape[1], -1, -1), rotations[:, :, 0])
    return turned(turn, root - origin), torch.cat([pelvis[:, :, None], rotations[:, :, 1:]], 2)


def moved_after(root: Tensor, rotations: Tensor, at: int, displaced: Tensor) -> tuple[Tensor, Tensor]:
    """Return windows whose frames from `at` on are displaced on the floor, see `Gap`."""
    turn, floor = _about_vertical(displaced[:, 1]), torch.tensor([1.0, 0.0, 1.0], device=root.device)
    pivot = root[:, at : at + 1] * floor
    later = turned(turn, root[:, at:] - pivot) + pivot + (displaced * floor)[:, None]
    pelvis = product(turn.expand(-1, rotations.shape[1] - at, -1, -1), rotations[:, at:, 0])
    rotations = rotations.clone()
    rotations[:, at:, 0] = pelvis
    return torch.cat([root[:, :at], later], 1), rotations


def _about_vertical(angle: Tensor) -> Tensor:
    """Return rotations (B, 1, 3, 3) about the vertical by angles (B,) in rad, +z towards +x."""
    sine, cosine, zero, one = angle.sin(), angle.cos(), torch.zeros_like(angle), torch.ones_like(angle)
    return torch.stack([cosine, zero, sine, zero, one, zero, -sine, zero, cosine], -1).view(-1, 1, 3, 3)


def cubic_path(rows: Tensor, frames: int, before: Tensor, after: Tensor) -> Tensor:
    """Return the cubic Hermite paths (B, N, 65) of windows; velocities to the order that the context allows."""
    a, b = CONTEXT - 1, CONTEXT + frames
    chord = (rows[:, b] - rows[:, a]) / (frames + 1)

    def velocity(at: int, step: int, count: Tensor) -> Tensor:
        near, next_, third = rows[:, at], rows[:, at + step], rows[:, at + 2 * step]
        second = -step * (1.5 * near - 2 * next_ + 0.5 * third)
        count = count[:, None]
        return torch.where(count >= 3, second, torch.where(count == 2, -step * (near - next_), chord))

    ends = torch.stack([rows[:, a], velocity(a, -1, before), rows[:, b], velocity(b, 1, after)], 1)
    weights = torch.tensor(hermite_weights(frames), dtype=rows.dtype, device=rows.device)
    return torch.einsum("nk,bkc->bnc", weights, ends)

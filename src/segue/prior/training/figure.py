"""The figure and the network in PyTorch: rotations, forward kinematics, and what `segue.prior.network` computes."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import normalize, relu, scaled_dot_product_attention

from segue.prior.tables import CONTEXT, GROUPS, HEAD, LONGEST, PLACING, Tables


def product(a: Tensor, b: Tensor) -> Tensor:
    """Return the products of 3x3 matrices; elementwise, which is faster than `@` for matrices this small."""
    return (a[..., :, :, None] * b[..., None, :, :]).sum(-2)


def turned(a: Tensor, v: Tensor) -> Tensor:
    """Return vectors (..., 3) turned by matrices."""
    return (a * v[..., None, :]).sum(-1)


def matrices_of(quaternions: Tensor) -> Tensor:
    """Return the rotation matrices of unit quaternions (w, x, y, z)."""
    w, x, y, z = quaternions.unbind(-1)
    rows = [
        *(1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
        *(2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
        *(2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)),
    ]
    return torch.stack(rows, -1).unflatten(-1, (3, 3))


def rotations_of(vectors: Tensor) -> Tensor:
    """Return the matrices of rotation vectors in rad."""
    half = vectors * 0.5
    angle = half.norm(dim=-1, keepdim=True)
    return matrices_of(torch.cat([angle.cos(), half * torch.sinc(angle / torch.pi)], -1))


class TorchFigure:
    """The standard figure on a device.

    Frames are (root (..., 3), rotations (..., 7, 3, 3), hinges (..., 20)), or rows of 65 numbers.
    """

    def __init__(self, tables: Tables, device: torch.device) -> None:
        self.tables = tables
        number = {"dtype": torch.float32, "device": device}
        self.offsets = torch.tensor(tables.offsets, **number)
        self.points = torch.tensor(tables.points, **number)
        self.point_segments = torch.tensor(tables.point_segments, device=device)
        self.cross = torch.tensor(np.cross(np.eye(3)[None], tables.axes[:, None]), **number)
        self.cross_twice = self.cross @ self.cross
        self.identity = torch.eye(3, **number)
        # each segment turns by two of: the identity, the ball joints, the hinges
        ball_count = int(tables.balls.max()) + 1
        first = np.where(tables.balls >= 0, 1 + tables.balls, 0)
        second = np.zeros(len(first), int)
        for s, (start, stop) in enumerate(tables.hinges):
            if stop > start:
                first[s] = 1 + ball_count + start
            if stop > start + 1:
                second[s] = 2 + ball_count + start
        self.first, self.second = (torch.tensor(each, device=device) for each in (first, second))
        depths = np.zeros(len(first), int)
        for s, parent in enumerate(tables.parents):
            depths[s] = 0 if parent < 0 else depths[parent] + 1
        # segments depth by depth, their parents' places in that order, and the order back
        order = np.argsort(depths, kind="stable")
        self.levels = []
        for depth in range(1, int(depths.max()) + 1):
            segments = order[depths[order] == depth]
            above = order[depths[order] == depth - 1]
            where = np.array([int(np.flatnonzero(above == tables.parents[s])[0]) for s in segments])
            self.levels.append((torch.tensor(segments, device=device), torch.tensor(where, device=device)))
        self.order_back = torch.tensor(np.argsort(order), device=device)
        self.mirrored_balls = torch.tensor(tables.mirrored_balls, device=device)
        self.mirrored_hinges = torch.tensor(tables.mirrored_hinges, device=device)
        self.mirror = torch.tensor([-1.0, 1.0, 1.0], **number)

    def forward(self, root: Tensor, rotations: Tensor, hinges: Tensor) -> Tensor:
        """Return the positions (..., P, 3) of joints, then of the other points."""
        shape = root.shape[:-1]
        last = len(shape)
        flat = self.positions(*(each.flatten(0, last - 1) for each in (root, rotations, hinges)))
        return flat.unflatten(0, shape)

    def positions(self, root: Tensor, rotations: Tensor, hinges: Tensor) -> Tensor:
        """Return the positions (T, P, 3) of frames in a row."""
        sine, cosine = hinges.sin()[..., None, None], hinges.cos()[..., None, None]
        swings = self.identity + sine * self.cross + (1 - cosine) * self.cross_twice
        links = torch.cat([self.identity.expand(*root.shape[:-1], 1, 3, 3), rotations, swings], -3)
        local = product(links[..., self.first, :, :], links[..., self.second, :, :])
        place, frame = root[..., None, :], local[..., :1, :, :]
        places, frames = [place], [frame]
        for segments, where in self.levels:
            above = frame[..., where, :, :]
            place = place[..., where, :] + turned(above, self.offsets[segments])
            frame = product(above, local[..., segments, :, :])
            places.append(place)
            frames.append(frame)
        joints = torch.cat(places, -2)[..., self.order_back, :]
        turns = torch.cat(frames, -3)[..., self.order_back, :, :]
        on = self.point_segments
        others = joints[..., on, :] + turned(turns[..., on, :, :], self.points)
        return torch.cat([joints, others], -2)

    def rows(self, root: Tensor, rotations: Tensor, hinges: Tensor) -> Tensor:
        """Return frames as rows (..., 65)."""
        return torch.cat([root, rotations[..., :2].transpose(-1, -2).flatten(-3), hinges], -1)

    def frames(self, rows: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return the frames of rows, whose rotations need not be orthonormal."""
        stop = rows.shape[-1] - len(self.tables.axes)
        pairs = rows[..., 3:stop].unflatten(-1, (-1, 2, 3))
        x = normalize(pairs[..., 0, :], dim=-1)
        y = normalize(pairs[..., 1, :] - (x * pairs[..., 1, :]).sum(-1, keepdim=True) * x, dim=-1)
        return rows[..., :3], torch.stack([x, y, torch.linalg.cross(x, y)], -1), rows[..., stop:]

    def mirrored(self, root: Tensor, rotations: Tensor, hinges: Tensor, which: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return windows (B, W, ...) with left and right exchanged in those of `which`, (B,)."""
        flip = self.mirror[:, None] * self.mirror
        pick = which[:, None, None]
        return (
            torch.where(pick, root * self.mirror, root),
            torch.where(pick[..., None, None], rotations[..., self.mirrored_balls, :, :] * flip, rotations),
            torch.where(pick, hinges[..., self.mirrored_hinges], hinges),
        )


CONTACTS = 4


class Block(nn.Module):
    """Attention and two linear layers with a squared rectifier, each added to what enters (So et al. 2021, Primer)."""

    def __init__(self, width: int, inner: int, dropout: float) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(width, elementwise_affine=False)
        self.attend, self.gather = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.widen, self.narrow = nn.Linear(width, inner), nn.Linear(inner, width)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor) -> Tensor:
        """Return the tokens (B, W, d) after this block."""
        count, length, width = x.shape
        query, key, value = self.attend(self.norm(x)).view(count, length, 3, -1, HEAD).permute(2, 0, 3, 1, 4)
        seen = scaled_dot_product_attention(query, key, value).transpose(1, 2).reshape(count, length, width)
        x = x + self.dropout(self.gather(seen))
        return x + self.dropout(self.narrow(relu(self.widen(self.norm(x))).square()))


class TorchNetwork(nn.Module):
    """A transformer over the frames of a gap and its context.

    input_mean, input_scale: of what frames are described by. output_scale: of what is added to the cubic path.
    """

    def __init__(self, inputs: int, rows: int, width: int, layers: int, inner: int, dropout: float = 0.05) -> None:
        super().__init__()
        self.rows = rows
        positions = LONGEST + 2 * CONTEXT
        self.enter = nn.Linear(inputs + len(GROUPS) + 1, width)
        self.from_start, self.from_stop = nn.Embedding(positions, width), nn.Embedding(positions, width)
        self.blocks = nn.ModuleList([Block(width, inner, dropout) for _ in range(layers)])
        self.norm = nn.LayerNorm(width, elementwise_affine=False)
        self.way = nn.Embedding(PLACING + 1, width)
        self.leave = nn.Linear(width, rows + CONTACTS + 1)
        for table in (self.from_start, self.from_stop, self.way):
            nn.init.normal_(table.weight, std=0.3)
        nn.init.normal_(self.leave.weight, std=1e-3)
        nn.init.zeros_(self.leave.bias)
        for block in self.blocks:
            for layer in (block.gather, block.narrow):
                nn.init.normal_(layer.weight, std=0.02 / (2 * layers) ** 0.5)
        self.register_buffer("input_mean", torch.zeros(inputs))
        self.register_buffer("input_scale", torch.ones(inputs))
        self.register_buffer("output_scale", torch.ones(rows))

    def tokens(self, described: Tensor, visible: Tensor, flags: Tensor, way: Tensor) -> Tensor:
        """Return the tokens (B, W, d) that the outputs are read from.

        described: (B, W, inputs), used where visible (B, W). flags: (B, W, groups + 1) which groups are known, and
        whether the frame is in the gap. way: (B,) 0 for the mean path, one of the other ways, or `PLACING`.
        """
        length = described.shape[1]
        scaled = (described - self.input_mean) / self.input_scale * visible[..., None]
        place = torch.arange(length, device=described.device)
        with torch.autocast(described.device.type, enabled=False):  # 8 bits are too few for places
            x = self.enter(torch.cat([scaled, flags], -1))
        x = x + self.from_start(place) + self.from_stop(length - 1 - place) + self.way(way)[:, None]
        for block in self.blocks:
            x = block(x)
        return self.norm(x)

    def forward(
        self, described: Tensor, visible: Tensor, flags: Tensor, frames: int, way: Tensor
    ) -> tuple[Tensor, ...]:
        """Return the offset from the cubic path (B, N, rows), contact logits (B, N, 4), log error (B, N), and the
        tokens (B, N, d) that these are read from.
        """
        tokens = self.tokens(described, visible, flags, way)[:, CONTEXT : CONTEXT + frames]
        with torch.autocast(described.device.type, enabled=False):
            out = self.leave(tokens.float())
        return out[..., : self.rows] * self.output_scale, out[..., self.rows : -1], out[..., -1], tokens

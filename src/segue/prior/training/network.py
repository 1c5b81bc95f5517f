"""The network in PyTorch; `segue.prior.network` computes the same in NumPy."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn.functional import relu, scaled_dot_product_attention

from segue.prior.tables import CONTEXT, GROUPS, HEAD, LONGEST, PLACING

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

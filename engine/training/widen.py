"""Starts a wider network from a narrow one that was trained: at first both give nearly the same answers.

The channels of the narrow network become the first of the wide one (in parts that are split later, the first
of each part); the others start at random and are hardly listened to. After Chen, Goodfellow and Shlens,
"Net2Net: Accelerating Learning via Knowledge Transfer" (2016), with fresh channels in place of copied ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

LEAK = 0.03
"""So much of its random weight a fresh channel keeps towards channels that were there before."""


@dataclass(frozen=True)
class Channels:
    """Where the channels of the narrow network lie (`at`) among the `count` of the wide one."""

    at: np.ndarray
    count: int

    @classmethod
    def first(cls, narrow: int, wide: int, parts: int = 1) -> Channels:
        """The first `narrow / parts` of each of `parts` equal parts of `wide` channels."""
        small, large = narrow // parts, wide // parts
        return cls(np.concatenate([np.arange(small) + part * large for part in range(parts)]), wide)

    @classmethod
    def joined(cls, pieces: list[Channels]) -> Channels:
        """Those of several tensors laid one after the other."""
        starts = np.cumsum([0, *(piece.count for piece in pieces)])
        at = [piece.at + start for piece, start in zip(pieces, starts[:-1], strict=True)]
        return cls(np.concatenate(at), int(starts[-1]))


def widen_layer(narrow: Any, wide: Any, inside: Channels, parts: int = 1, leak: float = LEAK) -> Channels:
    """Carry a convolution or linear layer over; returns where its outputs lie.

    `parts`: into how many equal parts the outputs are split later.
    """
    import torch

    before, after = narrow.weight, wide.weight
    outside = Channels.first(before.shape[0], after.shape[0], parts)
    fresh = np.setdiff1d(np.arange(inside.count), inside.at)
    rows = torch.as_tensor(outside.at)
    with torch.no_grad():
        if getattr(narrow, "groups", 1) > 1:
            after[rows] = before
        else:
            after[rows[:, None], torch.as_tensor(fresh)[None]] *= leak
            after[rows[:, None], torch.as_tensor(inside.at)[None]] = before
        if narrow.bias is not None:
            wide.bias[rows] = narrow.bias
    return outside


def widen_norm(narrow: Any, wide: Any, outside: Channels) -> None:
    """Carry a batch normalisation over."""
    import torch

    rows = torch.as_tensor(outside.at)
    with torch.no_grad():
        for name in ("weight", "bias", "running_mean", "running_var"):
            getattr(wide, name)[rows] = getattr(narrow, name)


def widen_plain(wide: Any, state: dict[str, Any], leak: float = LEAK) -> None:
    """Carry the weights `state` over to `wide` in place, where channels are neither split nor joined.

    `wide` may also tell more classes apart; those that were known are its first.
    """
    grown = wide.state_dict()
    for name, old in state.items():
        if old.dim() > 1:
            grown[name][: len(old)] *= leak
        grown[name][tuple(slice(size) for size in old.shape)] = old
    wide.load_state_dict(grown)


def widen_reader(narrow: Any, wide: Any, leak: float = LEAK) -> None:
    """Carry a card reader (`engine.training.reader.network`) over to one with wider trunk, in place."""
    channels = Channels.first(3, 3)
    for small, large in zip(narrow.trunk, wide.trunk, strict=True):
        if hasattr(small, "body"):
            (first, *_), last, norm = small.body
            (first_w, *_), last_w, norm_w = large.body
            inner = widen_layer(first, first_w, channels, leak=leak)
            widen_norm(small.body[0][1], large.body[0][1], inner)
            channels = widen_layer(last, last_w, inner, leak=leak)
            widen_norm(norm, norm_w, channels)
        else:
            channels = widen_layer(small[0], large[0], channels, leak=leak)
            widen_norm(small[1], large[1], channels)
    pools = narrow.join[0].in_features // len(channels.at)
    widen_layer(narrow.join[0], wide.join[0], Channels.joined([channels] * pools), leak=leak)
    for head, head_w in zip(narrow.heads, wide.heads, strict=True):
        head_w.load_state_dict(head.state_dict())


def widen_finder(narrow: Any, wide: Any, leak: float = LEAK) -> None:
    """Carry a YOLO11 `OBBModel` of ultralytics over to a wider one of equal depth, in place."""
    walk = _Walk(leak)
    outputs: list[Channels] = []
    previous = Channels.first(3, 3)
    for small, large in zip(narrow.model, wide.model, strict=True):
        sources = [small.f] if isinstance(small.f, int) else list(small.f)
        taken = [previous if source == -1 else outputs[source] for source in sources]
        previous = walk.module(small, large, taken)
        outputs.append(previous)


class _Walk:
    """Carries the blocks of ultralytics over, each by what its `forward` does with the channels."""

    def __init__(self, leak: float) -> None:
        self.leak = leak

    def module(self, small: Any, large: Any, taken: list[Channels]) -> Channels:
        kind = type(small).__name__
        if kind == "Concat":
            return Channels.joined(taken)
        if kind == "OBB":
            return self.head(small, large, taken)
        (inside,) = taken
        if kind == "Conv2d":
            return widen_layer(small, large, inside, leak=self.leak)
        if kind in ("Conv", "DWConv"):
            return self.convolution(small, large, inside)
        if kind == "Sequential":
            return self.chain(small, large, inside)
        if kind == "Upsample":
            return inside
        blocks = {
            "C3k2": self.split_block,
            "C2PSA": self.split_block,
            "C3k": self.crossing_block,
            "Bottleneck": self.bottleneck,
            "SPPF": self.pyramid,
            "PSABlock": self.attention_block,
        }
        if kind not in blocks:
            raise TypeError(f"no way is known to widen a {kind}")
        return blocks[kind](small, large, inside)

    def convolution(self, small: Any, large: Any, inside: Channels, parts: int = 1) -> Channels:
        outside = widen_layer(small.conv, large.conv, inside, parts, self.leak)
        widen_norm(small.bn, large.bn, outside)
        return outside

    def chain(self, small: Any, large: Any, inside: Channels) -> Channels:
        for one, other in zip(small, large, strict=True):
            inside = self.module(one, other, [inside])
        return inside

    def split_block(self, small: Any, large: Any, inside: Channels) -> Channels:
        self.convolution(small.cv1, large.cv1, inside, parts=2)
        half = Channels.first(small.c, large.c)
        pieces = [half, half]
        chained = type(small).__name__ == "C2PSA"
        for one, other in zip(small.m, large.m, strict=True):
            last = self.module(one, other, [pieces[-1]])
            pieces = [half, last] if chained else [*pieces, last]
        return self.convolution(small.cv2, large.cv2, Channels.joined(pieces))

    def crossing_block(self, small: Any, large: Any, inside: Channels) -> Channels:
        one = self.chain(small.m, large.m, self.convolution(small.cv1, large.cv1, inside))
        other = self.convolution(small.cv2, large.cv2, inside)
        return self.convolution(small.cv3, large.cv3, Channels.joined([one, other]))

    def bottleneck(self, small: Any, large: Any, inside: Channels) -> Channels:
        return self.convolution(small.cv2, large.cv2, self.convolution(small.cv1, large.cv1, inside))

    def pyramid(self, small: Any, large: Any, inside: Channels) -> Channels:
        once = self.convolution(small.cv1, large.cv1, inside)
        return self.convolution(small.cv2, large.cv2, Channels.joined([once] * (small.n + 1)))

    def attention_block(self, small: Any, large: Any, inside: Channels) -> Channels:
        attention, wider = small.attn, large.attn
        if (attention.head_dim, attention.key_dim) != (wider.head_dim, wider.key_dim):
            raise TypeError("attention is widened by whole heads only")
        self.convolution(attention.qkv, wider.qkv, inside)
        values = Channels.first(attention.num_heads * attention.head_dim, wider.num_heads * wider.head_dim)
        self.convolution(attention.pe, wider.pe, values)
        return self.chain(small.ffn, large.ffn, self.convolution(attention.proj, wider.proj, values))

    def head(self, small: Any, large: Any, taken: list[Channels]) -> Channels:
        for name in ("cv2", "cv3", "cv4"):
            for one, other, inside in zip(getattr(small, name), getattr(large, name), taken, strict=True):
                last = self.chain(one, other, inside)
        return last

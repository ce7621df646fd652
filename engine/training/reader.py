"""Trains the card reader: a small convolutional network with four heads, on crops of rendered tables."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from datasets.build import WorldSpec, build_reader_set, load_reader_set
from engine.training.augment import augment
from engine.training.labels import IGNORE, encode
from engine.training.photographs import add_to_reader_set, labelled_photographs
from engine.training.widen import widen_reader
from vision.reader import CROP_SIZE_PX, KINDS, UNKNOWN_COLOUR, UNKNOWN_DECK, UNKNOWN_NUMBER
from vision.unwarp import unwarp

WIDTHS = (24, 48, 96, 144)
"""Channels after each halving of the picture."""
HEADS = {
    "kind": len(KINDS),
    "number": UNKNOWN_NUMBER + 1,
    "colour": UNKNOWN_COLOUR + 1,
    "deck": UNKNOWN_DECK + 1,
}


AVERAGING = 0.9985
"""The weights that are kept are a running mean over about a third of an epoch."""


@dataclass(frozen=True)
class ReaderRecipe:
    """How the reader is made."""

    train_scenes: int = 4400
    validation_scenes: int = 240
    epochs: int = 7
    batch: int = 64
    seed: int = 20261130
    learning_rate: float = 0.003
    weight_decay: float = 0.02
    label_smoothing: float = 0.02
    threads: int = 1
    start_from: str | None = None


def build_sets(
    recipe: ReaderRecipe,
    work: Path,
    spec: WorldSpec,
    progress: Callable[[str], None],
    photographs: Path | None = None,
    copies: int = 12,
) -> None:
    """Render scenes and cut the crops of both splits under `work`.

    Cards of labelled `photographs` (Pascal VOC) join the training crops, each in `copies` variations.
    """
    for split, count, seed in (
        ("train", recipe.train_scenes, recipe.seed + 100),
        ("validation", recipe.validation_scenes, recipe.seed + 101),
    ):
        folder = work / f"crops-{split}"
        if (folder / "done").exists():
            continue
        own = WorldSpec(**{**spec.__dict__, "split": split, "seed": seed})
        finished = 0
        for step in build_reader_set(own, count, folder, unwarp, encode, CROP_SIZE_PX):
            finished += step
            progress(f"crops for {split}: {finished} of {count} scenes")
        if photographs is not None and split == "train":
            labelled = list(labelled_photographs(photographs))
            rng = np.random.default_rng(recipe.seed + 102)
            added = add_to_reader_set(labelled, copies, CROP_SIZE_PX, unwarp, folder, rng)
            progress(f"{added} crops of {len(labelled)} photographs")
        (folder / "done").touch()


def network(widths: tuple[int, int, int, int] = WIDTHS) -> Any:
    """The network: (n, 3, 136, 96) BGR 0-1 to logits of the four heads and an embedding (n, 160)."""
    import torch
    from torch import nn

    def block(inside: int, outside: int, stride: int = 1) -> nn.Sequential:
        convolution = nn.Conv2d(inside, outside, 3, stride, 1, bias=False)
        return nn.Sequential(convolution, nn.BatchNorm2d(outside), nn.ReLU(inplace=True))

    class Residual(nn.Module):
        def __init__(self, width: int) -> None:
            super().__init__()
            last = nn.Conv2d(width, width, 3, 1, 1, bias=False)
            self.body = nn.Sequential(block(width, width), last, nn.BatchNorm2d(width))
            self.act = nn.ReLU(inplace=True)

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return self.act(x + self.body(x))  # type: ignore[no-any-return]

    class CardReader(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            a, b, c, d = widths
            self.trunk = nn.Sequential(
                block(3, a, 2),
                block(a, b, 2),
                Residual(b),
                block(b, c, 2),
                Residual(c),
                block(c, d, 2),
                Residual(d),
            )
            self.join = nn.Sequential(nn.Linear(d * 5, 160), nn.ReLU(inplace=True), nn.Dropout(0.1))
            self.heads = nn.ModuleList(nn.Linear(160, size) for size in HEADS.values())

        def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, ...]:
            features = self.trunk((x - 0.45) * 4.0)
            # Ends and middle of the card apart: the numbers stand at the two short ends.
            strips = features[:, :, 0:3], features[:, :, 3:6], features[:, :, 6:9]
            pooled = [strip.amax(dim=(2, 3)) for strip in strips]
            pooled += [features.mean(dim=(2, 3)), features.amax(dim=(2, 3))]
            joint = self.join(torch.cat(pooled, dim=1))
            return (*(head(joint) for head in self.heads), joint)

    return CardReader()


def train(recipe: ReaderRecipe, work: Path, progress: Callable[[str], None], *, resume: bool = False) -> Path:
    """Train on the crops under `work`; every epoch is saved to `reader.pt` there, whose path is returned."""
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    import torch
    from torch.nn import functional
    from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.set_num_threads(recipe.threads)
    cv2.setNumThreads(recipe.threads)
    torch.manual_seed(recipe.seed)
    rng = np.random.default_rng(recipe.seed)
    data = load_reader_set(work / "crops-train")
    held = load_reader_set(work / "crops-validation")
    crops, targets = data["crops"], data["targets"].astype(np.int64)
    model = network().to(device, memory_format=torch.channels_last)
    # Half precision where the processor or card computes it natively: twice as fast, no worse.
    half = device == "cuda" or torch.cpu._is_avx512_bf16_supported()
    steps = recipe.epochs * (len(crops) // recipe.batch)
    optimiser = torch.optim.AdamW(
        model.parameters(), lr=recipe.learning_rate, weight_decay=recipe.weight_decay
    )
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimiser, recipe.learning_rate, total_steps=steps + 1, pct_start=0.1
    )
    first = 0
    checkpoint = work / "reader.pt"
    if recipe.start_from is not None:
        _begin_from(model, Path(recipe.start_from))
    if resume and checkpoint.exists():
        state = torch.load(checkpoint, weights_only=True)
        model.load_state_dict(state["model"])
        optimiser.load_state_dict(state["optimiser"])
        schedule.load_state_dict(state["schedule"])
        first = int(state["epoch"]) + 1
    averaged = AveragedModel(model, multi_avg_fn=get_ema_multi_avg_fn(AVERAGING), use_buffers=True)
    if first:
        averaged.module.load_state_dict(state["averaged"])
        averaged.n_averaged += 1
    log = (work / "reader.jsonl").open("a")
    for epoch in range(first, recipe.epochs):
        model.train()
        order = rng.permutation(len(crops))
        total, since = 0.0, time.monotonic()
        for start in range(0, len(order) - recipe.batch + 1, recipe.batch):
            part = np.sort(order[start : start + recipe.batch])
            batch = augment(crops[part], targets[part], data["widths"][part], rng)
            # The pixels lie channels last already, as the network wants them: nothing is copied.
            images = torch.from_numpy(np.ascontiguousarray(batch)).permute(0, 3, 1, 2).to(device)
            wanted = torch.from_numpy(targets[part]).to(device)
            with torch.autocast(device, dtype=torch.bfloat16, enabled=half):
                outputs = model(images)[:4]
            how: dict[str, Any] = {"ignore_index": IGNORE, "label_smoothing": recipe.label_smoothing}
            losses = [
                functional.cross_entropy(out.float(), wanted[:, i], **how)
                for i, out in enumerate(outputs)
                if bool((wanted[:, i] >= 0).any())
            ]
            loss = torch.stack(losses).sum()
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            optimiser.step()
            schedule.step()
            averaged.update_parameters(model)
            total += float(loss.detach())
        figures = accuracy(averaged.module, held, device)
        figures |= {
            "epoch": epoch,
            "loss": total * recipe.batch / len(order),
            "seconds": time.monotonic() - since,
        }
        log.write(json.dumps(figures) + "\n")
        log.flush()
        progress(json.dumps(figures))
        torch.save(
            {
                "model": model.state_dict(),
                "averaged": averaged.module.state_dict(),
                "optimiser": optimiser.state_dict(),
                "schedule": schedule.state_dict(),
                "epoch": epoch,
            },
            checkpoint,
        )
    return checkpoint


def _begin_from(model: Any, checkpoint: Path) -> None:
    """Take the weights of a checkpoint over, also of a narrower network."""
    import torch

    began = torch.load(checkpoint, weights_only=True)
    weights = began.get("averaged", began["model"])
    a, b, c, d = (len(weights[f"trunk.{block}.0.weight"]) for block in (0, 1, 3, 5))
    if (a, b, c, d) == WIDTHS:
        model.load_state_dict(weights)
        return
    narrow = network((a, b, c, d))
    narrow.load_state_dict(weights)
    widen_reader(narrow, model)


def logits(model: Any, crops: np.ndarray, device: str) -> list[np.ndarray]:
    """The four heads' logits for crops uint8 (n, h, w, 3)."""
    import torch

    model.eval()
    parts: list[list[np.ndarray]] = [[], [], [], []]
    with torch.no_grad():
        for start in range(0, len(crops), 256):
            batch = crops[start : start + 256].astype(np.float32).transpose(0, 3, 1, 2) / 255
            for i, out in enumerate(model(torch.from_numpy(np.ascontiguousarray(batch)).to(device))[:4]):
                parts[i].append(out.cpu().numpy())
    return [np.concatenate(part) for part in parts]


def accuracy(model: Any, held: dict[str, np.ndarray], device: str) -> dict[str, float]:
    """Share of right answers per head on held-out crops, and of the numbers that show on cards over 60 px."""
    answers = [head.argmax(axis=1) for head in logits(model, held["crops"], device)]
    targets = held["targets"]
    figures = {}
    for i, name in enumerate(HEADS):
        known = targets[:, i] >= 0
        figures[name] = float((answers[i][known] == targets[known, i]).mean())
    clear = (targets[:, 1] >= 0) & (targets[:, 1] < UNKNOWN_NUMBER) & (held["widths"] > 60)
    figures["number_over_60px"] = float((answers[1][clear] == targets[clear, 1]).mean())
    return figures


def temperatures(model: Any, held: dict[str, np.ndarray], device: str) -> list[float]:
    """One temperature per head, the least log loss on held-out crops (Guo et al. 2017), by a grid search."""
    found = []
    for i, head in enumerate(logits(model, held["crops"], device)):
        known = held["targets"][:, i] >= 0
        rows, wanted = head[known].astype(np.float64), held["targets"][known, i].astype(int)
        losses = []
        grid = np.exp(np.linspace(np.log(0.4), np.log(3), 60))
        for temperature in grid:
            scaled = rows / temperature
            scaled -= scaled.max(axis=1, keepdims=True)
            chance = np.exp(scaled)
            chance /= chance.sum(axis=1, keepdims=True)
            losses.append(-np.log(chance[np.arange(len(wanted)), wanted] + 1e-12).mean())
        found.append(float(grid[int(np.argmin(losses))]))
    return found


def export(checkpoint: Path, work: Path, out: Path, recipe: ReaderRecipe) -> dict[str, object]:
    """Write the checkpoint as ONNX with its temperatures folded in; returns what the model card needs."""
    import torch

    model = network()
    model.load_state_dict(torch.load(checkpoint, weights_only=True)["averaged"])
    model.eval()
    held = load_reader_set(work / "crops-validation")
    scale = temperatures(model, held, "cpu")
    with torch.no_grad():
        for head, temperature in zip(model.heads, scale, strict=True):
            head.weight /= temperature
            head.bias /= temperature
    out.parent.mkdir(parents=True, exist_ok=True)
    torch.onnx.export(
        model,
        (torch.zeros(1, 3, CROP_SIZE_PX[1], CROP_SIZE_PX[0]),),
        str(out),
        input_names=["crops"],
        output_names=[*HEADS, "embedding"],
        dynamic_axes={name: {0: "n"} for name in ("crops", *HEADS, "embedding")},
        opset_version=17,
        dynamo=False,
    )
    return {"recipe": asdict(recipe), "temperatures": scale, **accuracy(model, held, "cpu")}

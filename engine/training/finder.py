"""Trains the card finder: a narrow YOLO11 oriented-box network, from scratch, on rendered tables."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from datasets.build import WorldSpec, build_finder_set
from engine.training.photographs import add_to_finder_set, labelled_photographs
from engine.training.widen import widen_finder

DEPTH, MOST_CHANNELS = 0.34, 1024
LIVE_WIDTH, STILL_WIDTH = 0.125, 0.25
"""Widths of the network for films and of that for photographs; stock nano has depth 0.50 and width 0.25."""


KEPT_METADATA = ("author", "date", "license", "names", "task", "version")


@dataclass(frozen=True)
class FinderRecipe:
    """How the finder is made; the numbers of a run are kept beside its model."""

    train_scenes: int = 8000
    validation_scenes: int = 250
    epochs: int = 8
    side_px: int = 416
    batch: int = 16
    seed: int = 20261130
    learning_rate: float = 0.002
    threads: int = 2
    start_from: str | None = None
    width: float = LIVE_WIDTH


def build_sets(
    recipe: FinderRecipe,
    work: Path,
    spec: WorldSpec,
    progress: Callable[[str], None],
    photographs: Path | None = None,
    copies: int = 6,
) -> Path:
    """Render training and validation pictures under `work`; returns the data file that ultralytics reads.

    Labelled `photographs` (Pascal VOC) join the training pictures, each in `copies` variations.
    """
    for split, count, seed in (
        ("train", recipe.train_scenes, recipe.seed),
        ("validation", recipe.validation_scenes, recipe.seed + 1),
    ):
        folder = work / split
        if (folder / "done").exists():
            continue
        own = WorldSpec(
            **{**spec.__dict__, "split": split, "seed": seed, "size_px": (recipe.side_px, recipe.side_px)}
        )
        finished = 0
        for step in build_finder_set(own, count, folder):
            finished += step
            progress(f"{split}: {finished} of {count} pictures")
        if photographs is not None and split == "train":
            labelled = list(labelled_photographs(photographs))
            rng = np.random.default_rng(recipe.seed + 2)
            added = add_to_finder_set(labelled, copies, recipe.side_px, folder, rng)
            progress(f"{len(labelled)} photographs in {added} variations")
        (folder / "done").touch()
    data = work / "cards.yaml"
    data.write_text(
        f"path: {work}\ntrain: train/images\nval: validation/images\nnames:\n  0: face\n  1: back\n"
    )
    return data


def train(recipe: FinderRecipe, data: Path, work: Path, *, resume: bool = False) -> Path:
    """Train and return the last checkpoint; every epoch is saved, `resume` goes on from the last one."""
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    os.environ.setdefault("YOLO_OFFLINE", "true")
    import torch
    from ultralytics import YOLO
    from ultralytics.utils import SETTINGS, torch_utils

    SETTINGS.update({"sync": False})
    torch_utils.NUM_THREADS = recipe.threads
    torch.set_num_threads(recipe.threads)
    last = work / "finder" / "weights" / "last.pt"
    if resume and last.exists():
        model = YOLO(str(last))
        model.add_callback("on_train_start", _halve)
        model.train(resume=True)
        return last
    model = _network(work, recipe.width)
    if recipe.start_from:
        model = _begun_from(recipe.start_from, model, work)
    model.add_callback("on_train_start", _halve)
    model.train(
        data=str(data),
        epochs=recipe.epochs,
        imgsz=recipe.side_px,
        batch=recipe.batch,
        workers=0,
        cache="ram",
        deterministic=False,
        seed=recipe.seed % 100000,
        project=str(work),
        name="finder",
        exist_ok=True,
        optimizer="AdamW",
        lr0=recipe.learning_rate,
        lrf=0.02,
        cos_lr=True,
        warmup_epochs=0.5,
        warmup_bias_lr=0.0,
        mosaic=0.0,
        hsv_h=0.01,
        hsv_s=0.3,
        hsv_v=0.2,
        degrees=0.0,
        translate=0.05,
        scale=0.25,
        fliplr=0.5,
        flipud=0.5,
        erasing=0.0,
        amp=torch.cuda.is_available(),
        plots=False,
        save_period=-1,
        val=True,
        verbose=True,
    )
    return last


def _network(work: Path, width: float) -> Any:
    """The untrained network; its plan is kept in `work`."""
    import yaml
    from ultralytics import YOLO
    from ultralytics.nn.tasks import yaml_model_load

    plan: dict[str, Any] = yaml_model_load("yolo11-obb.yaml")
    plan["scales"] = {"n": [DEPTH, width, MOST_CHANNELS]}
    plan["scale"] = "n"
    plan["nc"] = 2
    plan_file = work / "finder-obb.yaml"
    plan_file.write_text(yaml.safe_dump(plan))
    return YOLO(str(plan_file), task="obb")


def _begun_from(checkpoint: str, model: Any, work: Path) -> Any:
    """The network of a checkpoint; a narrower one is carried over to `model` first."""
    from ultralytics import YOLO

    trained = YOLO(checkpoint)
    widths = [next(one.model.parameters()).shape[0] for one in (trained, model)]
    if widths[0] == widths[1]:
        return trained
    widen_finder(trained.model.float(), model.model)
    model.save(work / "widened.pt")
    return YOLO(str(work / "widened.pt"))


def _halve(trainer: Any) -> None:
    """Let the network compute in bfloat16 where the processor does so natively; losses stay in full."""
    import torch

    if torch.cuda.is_available() or not torch.cpu._is_avx512_bf16_supported():
        return
    network = trainer.model.to(memory_format=torch.channels_last)
    whole = network.predict

    def predict(picture: Any, *args: Any, **named: Any) -> Any:
        with torch.autocast("cpu", dtype=torch.bfloat16):
            return _in_full(whole(picture.to(memory_format=torch.channels_last), *args, **named))

    network.predict = predict


def _in_full(outputs: Any) -> Any:
    """The same nest of tensors in float32."""
    if isinstance(outputs, dict):
        return {name: _in_full(part) for name, part in outputs.items()}
    if isinstance(outputs, (list, tuple)):
        return type(outputs)(_in_full(part) for part in outputs)
    return outputs.float()


def export(checkpoint: Path, out: Path) -> None:
    """Write the checkpoint as ONNX with free picture size."""
    import onnx
    from ultralytics import YOLO

    produced = YOLO(str(checkpoint)).export(format="onnx", dynamic=True, simplify=True, opset=17, imgsz=640)
    model = onnx.load(str(produced))
    # The exporter notes where things lay on the machine that trained; that is nobody's business.
    kept = [entry for entry in model.metadata_props if entry.key in KEPT_METADATA]
    del model.metadata_props[:]
    model.metadata_props.extend(kept)
    out.parent.mkdir(parents=True, exist_ok=True)
    onnx.save(model, str(out))
    Path(produced).unlink()

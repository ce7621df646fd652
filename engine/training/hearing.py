"""Trains the hearing: a small convolutional network that tells words apart, on synthetic speech in noise."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime

from datasets.noises import reverberated
from datasets.speech import RATE_HZ
from datasets.word_set import build_sounds, build_words, teaching_words
from engine.training.widen import widen_plain
from hearing.embedding import FRAMES, MODEL, SIZE, TALK, TALK_SCALE, embedding, levelled, windows_before
from hearing.listener import LOOK_S
from hearing.spectrum import BANDS, FRAME_S, spectra

WIDTHS = (96, 144, 192)
"""Channels after each halving of time."""
OTHERS = 0
"""The class of everything that is no whole word: talk, pieces of words, noise."""
OTHERS_SHARE = 0.25
SNR_DB = (0.0, 24.0)
TALK_SHARE = 0.7
"""Share of the words over which others talk; it is their talk that hides a call."""
PACE = (0.85, 1.17)
THROAT, THROAT_BANDS = (0.95, 1.05), (-1.0, 1.0)
"""Throats are shorter or longer: bands are stretched so far, and moved."""
COLOUR_POINTS, COLOUR_DB = 5, 2.5
"""Microphones and rooms colour all sound: gains of that spread at so many points along the bands."""
LATE_FRAMES = (-2, 13)
"""The word ends so many spectra before the end of the window."""
TAIL_S = 0.3
TABLE_NEAR_SHARE = 0.05
"""Share of the sentences at a table that hold a word much like a call."""
ECHO_SHARE = 0.7
BEFORE_SHARE = 0.4
"""Share of the words before which another word is said."""
MARGIN, SCALE = 0.15, 20.0
"""Additive margin softmax (Wang, Cheng, Liu, Liu 2018)."""


@dataclass(frozen=True)
class HearingRecipe:
    """How the hearing is made."""

    invented: int = 1200
    rounds: int = 40
    talk_minutes: int = 45
    table_minutes: int = 20
    epochs: int = 16
    batch: int = 128
    seed: int = 20261130
    learning_rate: float = 0.003
    weight_decay: float = 0.02
    threads: int = 1
    start_from: str | None = None


@dataclass(frozen=True, eq=False)
class Lessons:
    """What is learnt from, as spectra in dB: float16 (frames, 32), rows from `starts` (n + 1,) for the words.

    The echo of a word runs on after its end, which lies before the spectrum `ends` (n,), counted as `starts`.
    """

    classes: int
    words: np.ndarray
    starts: np.ndarray
    ends: np.ndarray
    labels: np.ndarray
    sounds: dict[str, np.ndarray]

    def __len__(self) -> int:
        return len(self.labels)


def lessons(recipe: HearingRecipe, work: Path, split: str, say: Callable[[str], None]) -> Lessons:
    """Make the words and noises of a split, or read them from `work`.

    Raises:
        SpeechError: if the programs that speak are not installed.
    """
    words = teaching_words(recipe.invented, recipe.seed)
    few = split != "train"
    seed = recipe.seed + few
    rounds = max(1, recipe.rounds // 13) if few else recipe.rounds
    minutes = max(2, recipe.talk_minutes // 7) if few else recipe.talk_minutes
    spoken = build_words(work / f"words-{split}.npz", words, split, rounds, seed, say)
    sounds = build_sounds(work / f"sounds-{split}.npz", split, minutes, seed)
    rng = np.random.default_rng(seed)
    rows, ends = [], []
    for number in range(len(spoken)):
        one = np.pad(spoken.one(number), (0, int(TAIL_S * RATE_HZ)))
        echoed = reverberated(one, rng) if rng.random() < ECHO_SHARE else one
        rows.append(spectra(echoed).astype(np.float16))
        ends.append(len(rows[-1]) - round(TAIL_S / FRAME_S))
    starts = np.cumsum([0, *(len(row) for row in rows)])
    beds = {name: spectra(sound).astype(np.float16) for name, sound in sounds.items()}
    return Lessons(
        len(words) + 1, np.concatenate(rows), starts, starts[:-1] + np.array(ends), spoken.labels, beds
    )


def network(classes: int) -> Any:
    """The network: levelled windows (n, 120, 32) to vectors of length 1, (n, 64), and how `like` classes."""
    import torch
    from torch import nn
    from torch.nn import functional

    def block(inside: int, outside: int, kernel: int, stride: int = 1) -> nn.Sequential:
        convolution = nn.Conv1d(inside, outside, kernel, stride, kernel // 2, bias=False)
        return nn.Sequential(convolution, nn.BatchNorm1d(outside), nn.ReLU(inplace=True))

    class Residual(nn.Module):
        def __init__(self, width: int) -> None:
            super().__init__()
            last = nn.Conv1d(width, width, 3, 1, 1, bias=False)
            self.body = nn.Sequential(block(width, width, 3), last, nn.BatchNorm1d(width))

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return torch.relu(x + self.body(x))

    class WordEmbedding(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            a, b, c = WIDTHS
            self.trunk = nn.Sequential(
                block(BANDS, a, 5, 2),
                block(a, b, 3, 2),
                Residual(b),
                Residual(b),
                block(b, c, 3, 2),
                Residual(c),
            )
            self.join = nn.Linear(c * (FRAMES // 8), SIZE)
            self.classes = nn.Parameter(torch.randn(classes, SIZE) * 0.1)

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            features = self.trunk(x.transpose(1, 2)).flatten(1)
            return functional.normalize(self.join(features), dim=1)

        def like(self, vectors: torch.Tensor) -> torch.Tensor:
            return vectors @ functional.normalize(self.classes, dim=1).T

    return WordEmbedding()


def windows(lessons: Lessons, numbers: np.ndarray, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Windows of spectra in dB (n, 120, 32) that end with the words `numbers`, or with none; labels (n,).

    Sounds are mixed by adding their power in each band, as if they had nothing to do with each other.
    """
    power = np.zeros((len(numbers), FRAMES, BANDS), np.float32)
    labels = np.zeros(len(numbers), np.int64)
    colour_db = _colours_db(len(numbers), rng)
    names = list(lessons.sounds)
    spoken_over = [name for name in names if name in ("talk", "babble")]
    for row, number in enumerate(numbers):
        kind = rng.random()
        spoken = kind >= OTHERS_SHARE / 2
        if spoken:
            end = FRAMES - int(rng.integers(*LATE_FRAMES))
            length = int(lessons.ends[number] - lessons.starts[number])
            if kind < OTHERS_SHARE:
                # A word that goes on, or was over long ago, is not one that ends here.
                gone = rng.random() < 0.3
                end -= int(rng.integers(20, 50)) if gone else -int(rng.uniform(0.3, 0.8) * length)
            else:
                labels[row] = lessons.labels[number] + 1
            length = _add(power[row], lessons, int(number), end, 0.0, rng)
            if rng.random() < BEFORE_SHARE:
                other, pause = int(rng.integers(len(lessons))), int(rng.exponential(10))
                _add(power[row], lessons, other, end - length - pause, float(rng.uniform(-12, 3)), rng)
        over = spoken_over if rng.random() < TALK_SHARE else names
        name = over[rng.integers(len(over))]
        bed = lessons.sounds[name]
        at = int(rng.integers(len(bed) - FRAMES))
        power[row] += _power(bed[at : at + FRAMES], -float(rng.uniform(*SNR_DB)))
    return 10 * np.log10(power + 1e-9) + colour_db[:, None], labels


def _colours_db(count: int, rng: np.random.Generator) -> np.ndarray:
    """Gains of the bands, float32 (count, 32): straight between a few points."""
    points = rng.normal(0, COLOUR_DB, (count, COLOUR_POINTS))
    at = np.linspace(0, COLOUR_POINTS - 1, BANDS)
    left = np.minimum(at.astype(int), COLOUR_POINTS - 2)
    share = at - left
    return np.asarray(points[:, left] * (1 - share) + points[:, left + 1] * share, np.float32)


def _add(
    window: np.ndarray, lessons: Lessons, number: int, end: int, louder_db: float, rng: np.random.Generator
) -> int:
    """Add a word to `window` (120, 32) so that it ends before `end`, as somebody else says it; its length."""
    start, stop = int(lessons.starts[number]), int(lessons.starts[number + 1])
    said = int(lessons.ends[number]) - start
    pace = rng.uniform(*PACE)
    length = round(said / pace)
    at = np.arange(end - length, min(FRAMES, end - length + round((stop - start) / pace)))
    at = at[at >= 0]
    source = np.minimum(start + ((at - (end - length)) * pace).astype(int), stop - 1)
    bands = np.arange(BANDS) * rng.uniform(*THROAT) + rng.uniform(*THROAT_BANDS)
    bands = np.clip(np.round(bands).astype(int), 0, BANDS - 1)
    window[at] += _power(lessons.words[source][:, bands], louder_db)
    return length


def _power(spectrum_db: np.ndarray, louder_db: float) -> np.ndarray:
    return np.asarray(np.exp((spectrum_db.astype(np.float32) + louder_db) * np.float32(np.log(10) / 10)))


def train(recipe: HearingRecipe, work: Path, say: Callable[[str], None]) -> dict[str, Any]:
    """Train on what `lessons` makes under `work`; the state goes to `work/hearing.pt`. Returns figures."""
    import torch
    from torch.nn import functional

    torch.manual_seed(recipe.seed)
    torch.set_num_threads(recipe.threads)
    learnt, held = lessons(recipe, work, "train", say), lessons(recipe, work, "validation", say)
    rng = np.random.default_rng(recipe.seed + 7)
    model = network(learnt.classes)
    if recipe.start_from is not None:
        widen_plain(model, torch.load(recipe.start_from, weights_only=True)["state"])
    optimiser = torch.optim.AdamW(
        model.parameters(), lr=recipe.learning_rate, weight_decay=recipe.weight_decay
    )
    steps = recipe.epochs * (len(learnt) // recipe.batch)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimiser, recipe.learning_rate, total_steps=steps, pct_start=0.15
    )
    # Half precision where the processor computes it natively: twice as fast, no worse.
    half = torch.cpu._is_avx512_bf16_supported()
    figures: dict[str, Any] = {"utterances": len(learnt), "words": learnt.classes - 1}
    begun = time.monotonic()
    for epoch in range(recipe.epochs):
        model.train()
        order = rng.permutation(len(learnt))
        total = 0.0
        for step in range(len(order) // recipe.batch):
            numbers = order[step * recipe.batch : (step + 1) * recipe.batch]
            sound, labels = windows(learnt, numbers, rng)
            target = torch.from_numpy(labels)
            with torch.autocast("cpu", dtype=torch.bfloat16, enabled=half):
                like = model.like(model(torch.from_numpy(levelled(sound)))).float()
            margin = functional.one_hot(target, like.shape[1]) * MARGIN
            loss = functional.cross_entropy((like - margin) * SCALE, target)
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            schedule.step()
            total += float(loss.detach())
        figures |= _validated(model, held, recipe)
        torch.save({"state": model.state_dict(), "epoch": epoch + 1}, work / "hearing.pt")
        mean = total / max(1, len(order) // recipe.batch)
        say(f"epoch {epoch + 1}: loss {mean:.3f}, {figures}, {time.monotonic() - begun:.0f} s")
    return figures


def _validated(model: Any, held: Lessons, recipe: HearingRecipe) -> dict[str, float]:
    """Share of words of unseen voices that are told right, and of other sounds taken for no word."""
    import torch

    model.eval()
    rng = np.random.default_rng(recipe.seed + 8)
    right = []
    with torch.no_grad():
        for _ in range(8):
            numbers = rng.choice(len(held), recipe.batch)
            sound, labels = windows(held, numbers, rng)
            found = model.like(model(torch.from_numpy(levelled(sound)))).argmax(dim=1).numpy()
            right.append(np.stack([labels, found == labels]))
    label, hit = np.concatenate(right, axis=1)
    return {
        "words_right": round(float(hit[label > OTHERS].mean()), 4),
        "others_right": round(float(hit[label == OTHERS].mean()), 4),
    }


def export(recipe: HearingRecipe, work: Path, folder: Path, classes: int) -> None:
    """Write the trained network of `work` as ONNX, and vectors of table talk of the validation voices.

    Raises:
        SpeechError: if the programs that speak are not installed.
    """
    import torch

    model = network(classes)
    model.load_state_dict(torch.load(work / "hearing.pt", weights_only=True)["state"])
    model.eval()
    torch.onnx.export(
        model,
        (torch.zeros(2, FRAMES, BANDS),),
        str(folder / MODEL),
        input_names=["windows"],
        output_names=["vectors"],
        dynamic_axes={"windows": {0: "n"}, "vectors": {0: "n"}},
        opset_version=17,
        dynamo=False,
    )
    path = work / "sounds-table.npz"
    sounds = build_sounds(path, "validation", recipe.table_minutes, recipe.seed + 2, TABLE_NEAR_SHARE)
    frames = spectra(sounds["talk"])
    # The manifest still names the network that was here before.
    embed = embedding(onnxruntime.InferenceSession(folder / MODEL, providers=["CPUExecutionProvider"]))
    ends = np.arange(FRAMES, len(frames) + 1, round(LOOK_S / FRAME_S))
    vectors = [embed(windows_before(frames, part)) for part in np.array_split(ends, -(-len(ends) // 1000))]
    np.save(folder / TALK, np.round(np.concatenate(vectors) * TALK_SCALE).astype(np.int8))

"""A recorded round in a folder: the film, its setup, its calls, photographs for the count, and the truth."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path

import av
import cv2
import numpy as np

from datasets import art
from datasets.cardbox import CardBox, blitz_kit
from datasets.handling import Confuser
from datasets.layouts import spread_of
from datasets.light import Light
from datasets.rounds import LEAD_IN_S, RoundFilm, RoundLook
from datasets.scene import TableWorld
from datasets.simulate import Injected, SeatDeal, SimPlay, Tempo, counts_of, deal, inject, play_round
from datasets.simulated_log import events_of
from datasets.surfaces import Surfaces
from referee.cards import DECKS, Card
from referee.events import EventType, PlayEvent, Zone, write_line
from referee.rulesets import Ruleset, for_players, ruleset
from referee.scoring import PlayerCount, score_round

NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hal")
FILM, SETUP, CALLS, TRUTH, TRUTH_EVENTS = (
    "round.mp4",
    "SETUP.toml",
    "calls.jsonl",
    "truth.json",
    "truth.jsonl",
)

CONFUSED_FROM_S = 6.0
"""Before this time little lies on the table that could be confused."""


@dataclass(frozen=True)
class BundleSpec:
    """What a recorded round is made from."""

    seed: int
    players: int = 4
    split: str = "test"
    size_px: tuple[int, int] = (1920, 1080)
    fps: float = 15.0
    mistakes: tuple[str, ...] = ("E11",)
    tempo: Tempo = field(default_factory=Tempo)
    table_mm: float = 1200.0
    confusers: tuple[str, ...] = ()
    """What happens besides and is no play (`handling.KINDS`), spread over the round."""
    most_s: float | None = None
    """The film ends after this many seconds of play (for short tests); None: at the end of the round."""


def write_film(
    path: Path, frames: Iterable[np.ndarray], size_px: tuple[int, int], fps: float, *, crf: int = 26
) -> int:
    """Encode BGR uint8 frames as H.264; returns how many there were. `crf`: quality, lower is better."""
    count = 0
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=Fraction(fps).limit_denominator(1000))
        stream.width, stream.height = size_px
        stream.pix_fmt = "yuv420p"
        stream.options = {"crf": str(crf), "preset": "veryfast"}
        for picture in frames:
            container.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="bgr24")))
            count += 1
        container.mux(stream.encode())
    return count


def _look(spec: BundleSpec, rng: np.random.Generator) -> RoundLook:
    def one(names: Sequence[str]) -> str:
        return names[rng.integers(len(names))]

    splits = art.SPLITS
    kit = blitz_kit(
        one(splits["faces"][spec.split]),
        one(splits["typefaces"][spec.split]),
        one(splits["hands"][spec.split]),
        int(rng.integers(2**31 - 1)),
    )
    light = Light(
        kelvin=float(rng.uniform(3200, 6000)),
        exposure=float(rng.uniform(0.85, 1.05)),
        field=((float(rng.uniform(0, 1)), float(rng.uniform(0, 0.6)), 0.6, float(rng.uniform(0.1, 0.5))),),
        noise=float(rng.uniform(1.0, 2.5)),
        blur_px=float(rng.uniform(0.3, 0.8)) * spec.size_px[0] / 1920,
    )
    return RoundLook(
        kit,
        DECKS[: spec.players],
        light,
        spec.size_px,
        spec.fps,
        spec.table_mm,
        tilt_deg=float(rng.uniform(0, 12)),
        roll_deg=float(rng.normal(0, 1.5)),
        mess_mm=float(rng.uniform(2.0, 5.0)),
    )


def play(spec: BundleSpec, rules: Ruleset) -> Injected:
    """The deal and the plays of a bundle: the first seed in which every wanted mistake comes about."""
    for attempt in range(50):
        rng = random.Random(f"{spec.seed}/{attempt}")
        if spec.mistakes:
            played = inject(rules, spec.players, rng, spec.mistakes, spec.tempo)
        else:
            deals = deal(rules, spec.players, rng)
            played = Injected(deals, play_round(rules, spec.players, rng, spec.tempo, deals), [])
        if len(played.truth) == len(spec.mistakes):
            return played
    raise ValueError(f"the mistakes {', '.join(spec.mistakes)} do not all come about in 50 rounds")


def confusers(spec: BundleSpec, plays: Sequence[SimPlay]) -> list[Confuser]:
    """The confusers of a bundle at times spread over its plays, in an order drawn from its seed."""
    if not spec.confusers:
        return []
    rng = np.random.default_rng((spec.seed, 3))
    first, last = CONFUSED_FROM_S, max(p.t for p in plays) + LEAD_IN_S - 1.0
    step = (last - first) / len(spec.confusers)
    kinds = [spec.confusers[i] for i in rng.permutation(len(spec.confusers))]
    return [Confuser(k, first + step * (i + float(rng.uniform(0.2, 0.8)))) for i, k in enumerate(kinds)]


def make_bundle(
    spec: BundleSpec, out: Path, progress: Callable[[int, int], None] | None = None
) -> dict[str, object]:
    """Render a round into the folder `out`; returns the truth that was written there."""
    rules = for_players(ruleset("dutch_blitz"), spec.players)
    played = play(spec, rules)
    out.mkdir(parents=True, exist_ok=True)
    plays = [p for p in played.plays if spec.most_s is None or p.t <= spec.most_s]
    rng = np.random.default_rng((spec.seed, 1))
    look = _look(spec, rng)
    film = RoundFilm(
        look,
        played.deals,
        plays,
        Surfaces(spec.split, 7),
        rng,
        rules.number("side_piles"),
        confusers(spec, plays),
    )
    total = int(film.duration_s * spec.fps) + 1

    def frames() -> Iterable[np.ndarray]:
        for number, picture in enumerate(film.frames()):
            if progress is not None:
                progress(number, total)
            yield picture

    write_film(out / FILM, frames(), spec.size_px, spec.fps)
    seats = [seat.name for seat in film.seating.seats]
    _write_setup(out / SETUP, rules, seats, look.decks)
    calls = [event for event in film.truth if event.type is EventType.CALLED]
    (out / CALLS).write_text("".join(write_line(event) + "\n" for event in calls))
    log = whole_truth(rules, played.deals, film)
    (out / TRUTH_EVENTS).write_text("".join(write_line(event) + "\n" for event in log))
    truth = _truth(rules, played.deals, plays, film, look)
    _photograph(spec, look, truth, played.deals, plays, out)
    (out / TRUTH).write_text(json.dumps(truth, indent=1) + "\n")
    return truth


def whole_truth(rules: Ruleset, deals: Sequence[SeatDeal], film: RoundFilm) -> list[PlayEvent]:
    """The film's truth with what happens on the players' side and wood piles."""
    seats = [seat.name for seat in film.seating.seats]
    own = [e for e in events_of(deals, film.plays, rules, seats) if e.zone in (Zone.SIDE, Zone.WOOD)]
    lines = [*film.truth, *(replace(event, source="truth") for event in own)]
    # The count of the goal cards holds after the card that left has come to rest.
    log = sorted(lines, key=lambda event: (event.t, event.type is EventType.GOAL_COUNT))
    return [replace(event, seq=number) for number, event in enumerate(log, start=1)]


def _write_setup(path: Path, rules: Ruleset, seats: Sequence[str], decks: Sequence[str]) -> None:
    lines = [f'ruleset = "{rules.preset}"', ""]
    for name, seat, deck in zip(NAMES, seats, decks, strict=False):
        lines += ["[[players]]", f'name = "{name}"', f'seat = "{seat}"', f'deck = "{deck}"', ""]
    path.write_text("\n".join(lines))


def _truth(
    rules: Ruleset, deals: Sequence[SeatDeal], plays: Sequence[SimPlay], film: RoundFilm, look: RoundLook
) -> dict[str, object]:
    counts = counts_of(plays, deals)
    called = next((p for p in plays if p.kind == "call"), None)
    entries = [
        PlayerCount(
            NAMES[i], played, left, deck=look.decks[i], called=called is not None and called.seat_index == i
        )
        for i, (played, left) in enumerate(counts)
    ]
    scores = score_round(rules, entries).scores
    tops: dict[str, Card] = {}
    for event in film.truth:
        if (
            event.pile is not None
            and event.card is not None
            and event.type in (EventType.STARTED, EventType.LANDED)
        ):
            tops[event.pile] = event.card
    # A beaten card lies on an equal one and goes back: the top stays what it was.
    return {
        "ruleset": rules.preset,
        "players": [
            {
                "name": NAMES[i],
                "seat": film.seating.seats[i].name,
                "deck": look.decks[i],
                "played": p,
                "left": left,
                "score": scores[i],
            }
            for i, (p, left) in enumerate(counts)
        ],
        "tops": [card.to_json() for card in tops.values()],
        "infringements": [
            {
                "rule": rule,
                "t": event.t,
                "pile": event.pile,
                "card": None if event.card is None else event.card.to_json(),
            }
            for event, rule in film.mistakes
        ],
        "confusers": film.handled,
        "landings": sum(event.type in (EventType.STARTED, EventType.LANDED) for event in film.truth),
        "called_by": None if called is None else NAMES[called.seat_index],
        "t_called": next((event.t for event in film.truth if event.type is EventType.CALLED), None),
    }


def _photograph(
    spec: BundleSpec,
    look: RoundLook,
    truth: dict[str, object],
    deals: Sequence[SeatDeal],
    plays: Sequence[SimPlay],
    out: Path,
) -> None:
    """The count's photographs: the middle's cards sorted by back, and each goal pile that is not empty."""
    world = TableWorld(spec.split, CardBox(spec.split), surfaces=7)
    light = Light(kelvin=look.light.kelvin, field=look.light.field, noise=2.0, blur_px=0.6, jpeg=90)
    heaps = [(look.decks[i], played) for i, (played, _) in enumerate(counts_of(plays, deals)) if played]
    names = {"backs": spread_of(heaps)}
    for i, (_, left) in enumerate(counts_of(plays, deals)):
        if left:
            names[f"goal-{NAMES[i]}"] = spread_of([(look.decks[i], 0)], list(deals[i].goal[:left]))
    for number, (name, layout) in enumerate(names.items()):
        rng = np.random.default_rng((spec.seed, 2, number))
        rows = sum(-(-count // 10) for _, count in heaps) if name == "backs" else 2
        width = min(150.0, 0.68 * 1500 / (rows * 1.6), 0.7 * 2000 / 11)
        scene = world.photo(
            rng,
            (2000, 1500),
            card_width_px=width,
            layout=layout,
            kit=look.kit,
            max_tilt_deg=12,
            clutter=False,
            light=light,
            turn_deg=float(rng.normal(0, 4)),
        )
        cv2.imwrite(str(out / f"{name}.jpg"), scene.image, [cv2.IMWRITE_JPEG_QUALITY, 90])

"""Films of rounds: the truth is complete, and the pictures show it."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets.bundles import BundleSpec, make_bundle
from datasets.handling import KINDS
from datasets.rounds import RoundFilm
from datasets.seating import SEATS_BY_PLAYERS, Seating
from engine.setup_file import load_setup
from referee.cards import BLITZ_COLOURS, Card
from referee.events import EventType, Zone, read_log
from referee.judge import judge_log
from referee.legality import check_shared
from referee.rulesets import ruleset
from tests.datasets.films import film
from vision.sources import load_picture, open_source
from vision.unwarp import unwarp

LANDINGS = (EventType.STARTED, EventType.LANDED)


def spec(seed: int, **more: object) -> BundleSpec:
    return BundleSpec(seed, **({"size_px": (640, 360), "mistakes": ()} | more))  # type: ignore[arg-type]


@pytest.mark.parametrize("players", range(2, 9))
def test_every_landing_names_pile_card_seat_and_place(players: int) -> None:
    round_film, _ = film(spec(players, players=players))
    width, height = round_film.look.size_px
    seats = {seat.name for seat in round_film.seating.seats}
    truth = round_film.truth
    assert [event.seq for event in truth] == list(range(1, len(truth) + 1))
    assert all(a.t <= b.t for a, b in itertools.pairwise(truth))
    landings = [event for event in truth if event.type in LANDINGS]
    assert len(landings) > 5
    for event in landings:
        assert event.pile and event.card and event.seat in seats and event.at
        assert 0 < event.at[0] < width and 0 < event.at[1] < height
        assert 0 < event.t < round_film.duration_s
    started = [event.pile for event in truth if event.type is EventType.STARTED]
    assert len(started) == len(set(started))
    assert {event.pile for event in landings} == set(started)


@pytest.mark.parametrize("seed", range(1, 7))
def test_a_lawful_film_breaks_no_rule_and_beaten_cards_go_back(seed: int) -> None:
    round_film, played = film(spec(seed))
    assert round_film.mistakes == [] and played.truth == []
    lost = [p for p in played.plays if p.kind == "lost"]
    taken = [event for event in round_film.truth if event.type is EventType.WITHDRAWN]
    assert sorted((str(e.card), e.pile) for e in taken) == sorted((str(p.card), p.target_pile) for p in lost)
    rulings = judge_log(round_film.truth, ruleset("dutch_blitz"))
    assert [r.rule for r in rulings if str(r.severity) == "foul"] == []


@pytest.mark.parametrize("seed", range(1, 7))
def test_counts_and_tops_of_a_round_agree(seed: int) -> None:
    round_film, _ = film(spec(seed))
    piles: dict[str, list[Card]] = {}
    for event in round_film.truth:
        if event.type in LANDINGS:
            assert event.pile and event.card
            piles.setdefault(event.pile, []).append(event.card)
        elif event.type is EventType.WITHDRAWN:
            assert event.pile and event.card
            piles[event.pile].remove(event.card)
    for cards in piles.values():
        assert [card.number for card in cards] == list(range(1, len(cards) + 1))
        assert len({card.colour for card in cards}) == 1
    goals = [e for e in round_film.truth if e.type is EventType.GOAL_COUNT]
    assert all(e.zone is Zone.GOAL for e in goals)
    for seat in {e.seat for e in goals}:
        counts = [e.extra["count"] for e in goals if e.seat == seat]
        assert counts == sorted(counts, reverse=True)


@pytest.mark.parametrize("players", SEATS_BY_PLAYERS)
def test_nothing_lies_on_anything_else_at_the_deal(players: int) -> None:
    seating = Seating.around((600.0, 320.0), players, (57.5, 82.0), 3 if players >= 4 else 5)
    assert [seat.name for seat in seating.seats] == list(SEATS_BY_PLAYERS[players])
    slots = np.array(
        [
            seating.slot(seat, place)
            for seat in seating.seats
            for place in ("side:0", "side:1", "goal", "hand", "wood")
        ]
    )
    piles = np.array(seating.pile_places(np.random.default_rng(1)))
    apart = np.linalg.norm(piles[:, None] - piles[None], axis=2) + 1e3 * np.eye(len(piles))
    assert apart.min() > 85
    if players <= 4:
        assert np.linalg.norm(piles[:, None] - slots[None], axis=2).min() > 60
        own = np.linalg.norm(slots[:, None] - slots[None], axis=2) + 1e3 * np.eye(len(slots))
        assert own.min() > 57.5


def test_the_last_picture_shows_the_true_tops() -> None:
    round_film, _ = film(spec(4, players=2, most_s=9.0, fps=8.0))
    pictures = list(round_film.frames())
    picture = pictures[-1]
    assert len(pictures) == int(np.ceil(round_film.duration_s * 8))
    assert picture.shape == (360, 640, 3) and picture.dtype == np.uint8
    tops: dict[str, tuple[Card, tuple[float, float]]] = {}
    for event in round_film.truth:
        if event.type in LANDINGS:
            assert event.pile and event.card and event.at
            tops[event.pile] = (event.card, event.at)
    shown = [t for t in round_film.truth_of_cards() if t.card is not None and t.visible > 0.9]
    for card, at in tops.values():
        here = [t for t in shown if np.linalg.norm(t.quad.mean(axis=0) - at) < 3]
        assert [t.card for t in here] == [card]
        crop = unwarp(picture, here[0].quad, (32, 46)).astype(float)
        off = {
            colour: np.abs(crop - drawn_flat(round_film, Card(card.number, colour))).mean()
            for colour in BLITZ_COLOURS
        }
        assert min(off, key=lambda colour: off[colour]) == card.colour


def drawn_flat(round_film: RoundFilm, card: Card) -> np.ndarray:
    """The card's own picture, BGR float (46, 32, 3)."""
    texture = round_film.look.kit.texture(card, "pump").levels[0][..., :3]
    return cv2.resize(texture, (32, 46), interpolation=cv2.INTER_AREA).astype(float)


@pytest.mark.parametrize("players", [2, 5, 8])
def test_what_happens_besides_is_no_play(players: int) -> None:
    plain, _ = film(spec(4, players=players))
    confused, _ = film(spec(4, players=players, confusers=KINDS))
    # Only a complete pile is turned over, and not every round has one in time.
    assert set(KINDS) - {"turn"} <= set(confused.handled) <= set(KINDS)
    plays = [
        [(e.type, e.t, str(e.card), e.pile, e.seat) for e in one.truth if e.card is not None]
        for one in (plain, confused)
    ]
    assert plays[0] == plays[1]
    told = {e.type for e in confused.truth}
    assert {EventType.MOVED, EventType.CAMERA_MOVED} <= told
    assert (EventType.TURNED in told) == ("turn" in confused.handled)


def test_two_films_of_one_seed_are_the_same_and_another_seed_is_not() -> None:
    def drawn(seed: int) -> list[int]:
        round_film, _ = film(spec(seed, players=2, most_s=2.0, fps=4.0))
        return [hash(picture.tobytes()) for picture in round_film.frames()]

    first = drawn(3)
    assert first == drawn(3)
    assert first != drawn(5)


def test_a_bundle_is_whole_and_knows_its_one_mistake(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    truth = make_bundle(
        spec(1, mistakes=("E11",), most_s=9.0, fps=10.0, size_px=(480, 270)),
        tmp_path / "bundle",
        lambda done, total: told.append((done, total)),
    )
    folder = tmp_path / "bundle"
    names = {path.name for path in folder.iterdir()}
    assert {"round.mp4", "SETUP.toml", "calls.jsonl", "truth.json", "truth.jsonl", "backs.jpg"} <= names
    assert json.loads((folder / "truth.json").read_text()) == json.loads(json.dumps(truth))
    (mistake,) = truth["infringements"]  # type: ignore[misc]
    assert mistake["rule"] == "E11"
    events = list(read_log((folder / "truth.jsonl").read_text().splitlines()))
    at_fault = [e for e in events if e.type in LANDINGS and e.t == mistake["t"] and e.pile == mistake["pile"]]
    (fault,) = at_fault
    before = [e.card for e in events if e.pile == fault.pile and e.type in LANDINGS and e.seq < fault.seq]
    assert fault.card is not None and before[-1] is not None
    rules = ruleset("dutch_blitz")
    assert fault.card.colour != before[-1].colour
    assert check_shared([card for card in before if card], fault.card, rules)
    fouls = [r for r in judge_log(events, rules) if str(r.severity) == "foul"]
    assert [(r.rule, r.pile, r.card) for r in fouls] == [("E11", fault.pile, fault.card)]
    dealt = [e.pile for e in events if e.extra.get("dealt")]
    assert sorted(dealt) == ["side:0"] * 4 + ["side:1"] * 4 + ["side:2"] * 4
    assert {e.seat for e in events if e.zone is Zone.WOOD} == {"bottom", "left", "top", "right"}
    setup = load_setup(folder / "SETUP.toml")
    assert [p.name for p in setup.players] == [p["name"] for p in truth["players"]]  # type: ignore[union-attr]
    assert [p.deck for p in setup.players] == ["pump", "carriage", "plow", "pail"]
    source = open_source(folder / "round.mp4")
    pictures = [frame.image.shape for frame in source]
    source.close()
    assert set(pictures) == {(270, 480, 3)}
    assert len(pictures) == told[-1][0] + 1 and told[-1][0] < told[-1][1]
    for name in names:
        if name.endswith(".jpg"):
            assert load_picture(folder / name).shape == (1500, 2000, 3)
    left = {f"goal-{p['name']}.jpg" for p in truth["players"] if p["left"]}  # type: ignore[union-attr]
    assert {name for name in names if name.startswith("goal-")} == left


def test_mistakes_that_never_come_about_are_told() -> None:
    with pytest.raises(ValueError, match="E99"):
        film(spec(1, mistakes=("E99",)))

"""A round as a film: a camera above the table, arms that carry cards, and the exact truth."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np

from datasets.camera import TableCamera
from datasets.cardbox import DeckKit
from datasets.handling import (
    LIGHTS,
    QUIET_AFTER_S,
    QUIET_BEFORE_S,
    REACH_S,
    Confuser,
    handled,
    lit_at,
    nudged,
)
from datasets.hands import ArmLook, put_arm
from datasets.layouts import Placed
from datasets.light import Light, illumination, kelvin_gains_bgr
from datasets.scene import CardTruth, Painter
from datasets.seating import Seat, Seating
from datasets.simulate import SeatDeal, SimPlay
from datasets.surfaces import Surfaces
from referee.cards import Card
from referee.events import EventType, PlayEvent, Zone

LANDINGS = frozenset({"play", "lost"})
RETREAT_S = 0.45
"""The hand is back at its player this long after it let go."""
LEAD_IN_S = 1.5
LEAD_OUT_S = 3.0
PILE_DEPTH_DRAWN = 4


@dataclass(frozen=True)
class RoundLook:
    """What a film looks like."""

    kit: DeckKit
    decks: tuple[str, ...]
    light: Light
    size_px: tuple[int, int] = (1920, 1080)
    fps: float = 15.0
    table_mm: float = 1200.0
    """Width of the table that the picture shows."""
    tilt_deg: float = 6.0
    roll_deg: float = 1.0
    mess_mm: float = 4.0


@dataclass
class _Spot:
    """What lies at one place, bottom first."""

    cards: list[Placed] = field(default_factory=list)


@dataclass(frozen=True)
class _Change:
    """At `t` s a spot changes. `what`: `take` its top (`card` shows then), `put` a card on it, `drop` a card,
    `clear` it, `show` one card alone, `shift` all its cards by (mm, mm, deg), `turn` its top over."""

    t: float
    what: str
    spot: str
    card: Placed | None = None
    by: tuple[float, float, float] = (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class _Key:
    """The fingertips are at `at_mm` at `t` s, carrying `card` from then on."""

    t: float
    at_mm: tuple[float, float]
    card: Placed | None = None


class RoundFilm:
    """Renders one round. The truth is at hand before the first picture is drawn."""

    def __init__(
        self,
        look: RoundLook,
        deals: Sequence[SeatDeal],
        plays: Sequence[SimPlay],
        surfaces: Surfaces,
        rng: np.random.Generator,
        side_piles: int,
        confusers: Sequence[Confuser] = (),
    ) -> None:
        self.look = look
        self._confusers = sorted(confusers, key=lambda c: c.t)
        self._lights = [c for c in self._confusers if c.kind in LIGHTS]
        self._rng = rng
        width, height = look.size_px
        px_per_mm = width / look.table_mm
        self.camera = TableCamera.above(
            look.size_px, px_per_mm, tilt_deg=look.tilt_deg, roll_deg=look.roll_deg, focal=1.2
        )
        half = (look.table_mm / 2 * 0.96, look.table_mm / 2 * height / width * 0.94)
        self.seating = Seating.around(half, len(deals), look.kit.size_mm, side_piles)
        self._base = surfaces.lay(self.camera.matrix, look.size_px, rng)
        angle = rng.uniform(0, 2 * np.pi)
        self._shadow = (2.2 * math.cos(angle), 2.2 * math.sin(angle), 0.45)
        self._arms = [ArmLook.random(rng) for _ in deals] * 2
        """Each player's hand that plays, then the other ones."""
        self._spots: dict[str, _Spot] = {}
        self._place_of: dict[str, tuple[float, float]] = {}
        self._deals = deals
        self.plays = [replace(p, t=p.t + LEAD_IN_S, t_start=p.t_start + LEAD_IN_S) for p in plays]
        self._places = self.seating.pile_places(rng)
        for index, seat in enumerate(self.seating.seats):
            for place in [f"side:{i}" for i in range(side_piles)] + ["goal", "hand", "wood"]:
                self._spots[f"{seat.name}/{place}"] = _Spot()
            self._deal(index, seat, deals[index])
        self._nudges: list[tuple[float, TableCamera]] = []
        self.handled: list[str] = []
        """The confusers that came about."""
        self._changes = self._plan()
        self.duration_s = (max(p.t for p in self.plays) if self.plays else 0.0) + LEAD_OUT_S

    # --- what happens, before a pixel is drawn ---------------------------------------------------------

    def _placed(
        self, at: tuple[float, float], turn: float, index: int, card: Card | None, mess: float
    ) -> Placed:
        rng = self._rng
        where = (at[0] + float(rng.normal(0, mess)), at[1] + float(rng.normal(0, mess)))
        return Placed(
            where, turn + float(rng.normal(0, 1.2 * mess + 0.5)), self.look.kit, self.look.decks[index], card
        )

    def _deal(self, index: int, seat: Seat, dealt: SeatDeal) -> None:
        def lay(place: str, card: Card | None, depth: int) -> None:
            at = self.seating.slot(seat, place)
            spot = self._spots[f"{seat.name}/{place}"]
            spot.cards += [self._placed(at, seat.turn_deg, index, card, 0.6) for _ in range(depth)]

        lay("goal", dealt.goal[-1], 1)
        for i, side in enumerate(dealt.sides):
            lay(f"side:{i}", side[-1], 1)
        lay("hand", None, 2)

    def _plan(self) -> list[_Change]:
        changes: list[_Change] = []
        self.truth: list[PlayEvent] = []
        self.mistakes: list[tuple[PlayEvent, str]] = []
        self.keys: list[list[_Key]] = [[] for _ in self._arms]
        lying: dict[str, list[Placed]] = {}
        waiting = list(self._confusers)
        for play in self.plays:
            while waiting and waiting[0].t <= play.t:
                self._plan_confuser(waiting.pop(0), changes)
            seat = self.seating.seats[play.seat_index]
            if play.kind == "call":
                self._note(play, EventType.CALLED, None, extra={"by": "button"})
                continue
            if play.kind in ("flip", "turn_over", "bottom"):
                self._plan_packet(play, seat, changes)
                continue
            source, target = self._spot_name(seat, play.source), self._spot_name(seat, play.target_pile)
            if play.kind in LANDINGS and target not in self._place_of and not self._is_own(target):
                self._place_of[target] = self._places[(len(self._place_of)) % len(self._places)]
            if play.kind == "withdraw":
                card = next(c for c in reversed(lying[source]) if c.card == play.card)
                lying[source].remove(card)
            else:
                turn = seat.turn_deg + float(self._rng.normal(0, 14))
                if self._is_own(target):
                    turn = seat.turn_deg
                card = self._placed(
                    self._centre(target),
                    turn,
                    play.seat_index,
                    play.card,
                    self.look.mess_mm if not self._is_own(target) else 1.0,
                )
            t_pick = play.t_start + 0.45 * (play.t - play.t_start)
            if play.kind == "withdraw":
                back = self._placed(self._centre(target), seat.turn_deg, play.seat_index, play.card, 1.0)
                carried: Placed = card
                changes.append(_Change(t_pick, "drop", source, card))
                changes.append(_Change(play.t, "put", target, back))
            else:
                carried = card
                changes.append(_Change(t_pick, "take", source, self._uncovered(seat, play)))
                changes.append(_Change(play.t, "put", target, card))
                lying.setdefault(target, []).append(card)
            self._move_arm(
                play,
                t_pick,
                self._centre(source),
                card.centre_mm if play.kind != "withdraw" else self._centre(target),
                carried,
            )
            if play.kind in LANDINGS:
                kind = EventType.STARTED if play.opens else EventType.LANDED
                self._note(play, kind, card, pile=play.target_pile)
                if play.mistake:
                    self.mistakes.append((self.truth[-1], play.mistake))
            elif play.kind == "withdraw":
                self._note(play, EventType.WITHDRAWN, card, pile=play.source)
            elif play.mistake:
                wrong = (play.target_pile, play.card, Zone.SIDE, seat.name)
                landed = PlayEvent(0, round(play.t, 3), EventType.LANDED, *wrong, source="truth")
                self.mistakes.append((landed, play.mistake))
            if play.source == "goal" and play.kind in ("play", "side", "refill"):
                self.truth.append(
                    PlayEvent(
                        0,
                        round(play.t, 3),
                        EventType.GOAL_COUNT,
                        seat=seat.name,
                        zone=Zone.GOAL,
                        source="truth",
                        extra={"count": play.goal_left},
                    )
                )
        for confuser in waiting:
            self._plan_confuser(confuser, changes)
        self._close_arms()
        self.truth = [replace(e, seq=i) for i, e in enumerate(sorted(self.truth, key=lambda e: e.t), start=1)]
        return sorted(changes, key=lambda c: c.t)

    def _note(
        self,
        play: SimPlay,
        kind: EventType,
        card: Placed | None,
        *,
        pile: str | None = None,
        extra: dict[str, object] | None = None,
    ) -> None:
        at = None
        if card is not None:
            at = self._seen_at(card.centre_mm, play.t)
        seat = self.seating.seats[play.seat_index]
        self.truth.append(
            PlayEvent(
                0,
                round(play.t, 3),
                kind,
                pile=pile,
                card=play.card if pile else None,
                seat=seat.name,
                at=at,
                source="truth",
                extra=dict(extra or {}),
            )
        )

    def _seen_at(self, at_mm: tuple[float, float], t: float) -> tuple[float, float]:
        x, y = self._camera_at(t).project(np.array([at_mm]))[0]
        return float(x), float(y)

    def _camera_at(self, t: float) -> TableCamera:
        return next((camera for since, camera in reversed(self._nudges) if t >= since), self.camera)

    def _is_own(self, spot: str) -> bool:
        return "/" in spot

    def _spot_name(self, seat: Seat, place: str) -> str:
        own = place in ("goal", "hand", "wood") or place.startswith("side:")
        return f"{seat.name}/{place}" if own else place

    def _centre(self, spot: str) -> tuple[float, float]:
        if self._is_own(spot):
            name, place = spot.split("/")
            seat = next(s for s in self.seating.seats if s.name == name)
            return self.seating.slot(seat, place)
        return self._place_of[spot]

    def _uncovered(self, seat: Seat, play: SimPlay) -> Placed | None:
        if play.uncovered is None:
            return None
        at = self.seating.slot(seat, play.source)
        return self._placed(at, seat.turn_deg, play.seat_index, play.uncovered, 0.6)

    def _plan_packet(self, play: SimPlay, seat: Seat, changes: list[_Change]) -> None:
        wood, hand = f"{seat.name}/wood", f"{seat.name}/hand"
        if play.kind == "flip":
            t_pick = play.t_start + 0.3 * (play.t - play.t_start)
            self._move_arm(play, t_pick, self._centre(hand), self._centre(wood), None)
            for card in play.cards[-2:]:
                turned = self._placed(self._centre(wood), seat.turn_deg, play.seat_index, card, 1.5)
                changes.append(_Change(play.t, "put", wood, turned))
        elif play.kind == "turn_over":
            changes.append(_Change(play.t, "clear", wood))
            packet = self._placed(self._centre(hand), seat.turn_deg, play.seat_index, None, 0.6)
            changes.append(_Change(play.t, "show", hand, packet))
        elif play.kind == "bottom":
            shown = self._uncovered(seat, replace(play, source="wood"))
            changes.append(_Change(play.t, "take", wood, shown))

    # --- what is no play -------------------------------------------------------------------------------

    def _plan_confuser(self, confuser: Confuser, changes: list[_Change]) -> None:
        """Plan a confuser; one for which no pile is free is left out."""
        kind, t = confuser.kind, confuser.t
        if kind in LIGHTS:
            self.handled.append(kind)
        elif kind == "nudge":
            self._nudges.append((t, nudged(self._camera_at(t), self._rng)))
            self.handled.append(kind)
            self._note_handled(EventType.CAMERA_MOVED, t)
        else:
            names = self._quiet_piles(kind, t, changes)
            if names:
                self._handle(kind, t, names[int(self._rng.integers(len(names)))], changes)

    def _quiet_piles(self, kind: str, t: float, changes: Sequence[_Change]) -> list[str]:
        """The shared piles that lie there at `t` and on which nobody plays around that time."""
        busy = {
            play.target_pile if play.kind in LANDINGS else play.source
            for play in self.plays
            if t - QUIET_BEFORE_S < play.t < t + QUIET_AFTER_S
        }
        tops: dict[str, Placed | None] = {}
        for change in sorted(changes, key=lambda c: c.t):
            if change.what == "put" and not self._is_own(change.spot) and change.t < t:
                tops[change.spot] = change.card
        if kind == "turn":
            ended = self.plays[-1].t
            played = {p.target_pile for p in self.plays if p.kind in LANDINGS and t <= p.t <= ended}
            tops = {n: c for n, c in tops.items() if n not in played and c is not None and c.card}
            complete = [n for n, c in tops.items() if c is not None and c.card and c.card.number == 10]
            return [name for name in complete if name not in busy]
        return [name for name in tops if name not in busy]

    def _handle(self, kind: str, t: float, pile: str, changes: list[_Change]) -> None:
        taken = set(self._place_of.values())
        free = [place for place in self._places[len(self._place_of) :] if place not in taken]
        start = self._place_of[pile]
        aside = min(free, key=lambda p: math.dist(p, start), default=start)
        if kind == "move" and aside == start:
            return
        done = handled(kind, t, start, aside, self._rng)
        seat = int(self._rng.integers(len(self._deals)))
        keys = self.keys[len(self._deals) + seat]
        home = self._home(len(self._deals) + seat)
        if keys and keys[-1].t > t - REACH_S:
            return
        keys += [_Key(t - REACH_S, home), *(_Key(*place) for place in done.places)]
        keys.append(_Key(done.places[-1][0] + RETREAT_S, home))
        self.handled.append(kind)
        if done.turns:
            changes.append(_Change(done.places[-1][0], "turn", pile))
            self._note_handled(EventType.TURNED, done.places[-1][0], pile)
        if any(done.by):
            first, last = done.places[0][0], done.places[-1][0]
            steps = max(1, round((last - first) * self.look.fps))
            part = (done.by[0] / steps, done.by[1] / steps, done.by[2] / steps)
            for step in range(1, steps + 1):
                changes.append(_Change(first + (last - first) * step / steps, "shift", pile, by=part))
            self._place_of[pile] = (start[0] + done.by[0], start[1] + done.by[1])
            if kind == "move":
                self._places.remove(aside)
            self._note_handled(EventType.MOVED, last, pile)

    def _note_handled(self, kind: EventType, t: float, pile: str | None = None) -> None:
        at = None if pile is None else self._seen_at(self._place_of[pile], t)
        self.truth.append(PlayEvent(0, round(t, 3), kind, pile=pile, at=at, source="truth"))

    # --- arms ------------------------------------------------------------------------------------------

    def _home(self, index: int) -> tuple[float, float]:
        seat = self.seating.seats[index % len(self._deals)]
        return seat.at(30.0 if index < len(self._deals) else -90.0, -140.0)

    def _move_arm(
        self,
        play: SimPlay,
        t_pick: float,
        source: tuple[float, float],
        target: tuple[float, float],
        card: Placed | None,
    ) -> None:
        keys = self.keys[play.seat_index]
        if keys and keys[-1].t + RETREAT_S <= play.t_start:
            keys.append(_Key(keys[-1].t + RETREAT_S, self._home(play.seat_index)))
        if not keys or keys[-1].t < play.t_start:
            last = keys[-1].at_mm if keys else self._home(play.seat_index)
            keys.append(_Key(play.t_start, last))
        keys.append(_Key(t_pick, source, card))
        keys.append(_Key(play.t, target))

    def _close_arms(self) -> None:
        for index, keys in enumerate(self.keys[: len(self._deals)]):
            if keys:
                keys.append(_Key(keys[-1].t + RETREAT_S, self._home(index)))

    def _arm_at(self, index: int, t: float) -> tuple[tuple[float, float], Placed | None] | None:
        keys = self.keys[index]
        after = next((i for i, key in enumerate(keys) if key.t > t), None)
        if after is None or after == 0:
            return None
        before, later = keys[after - 1], keys[after]
        share = (t - before.t) / max(later.t - before.t, 1e-6)
        share = share * share * (3 - 2 * share)
        at = (
            before.at_mm[0] + (later.at_mm[0] - before.at_mm[0]) * share,
            before.at_mm[1] + (later.at_mm[1] - before.at_mm[1]) * share,
        )
        home = self._home(index)
        if math.dist(at, home) < 5 and before.card is None:
            return None
        carried = before.card
        return at, None if carried is None else replace(carried, centre_mm=at)

    # --- pictures --------------------------------------------------------------------------------------

    def frames(self) -> Iterator[np.ndarray]:
        """The film's pictures, BGR uint8 (H, W, 3), one every 1 / fps s from t = 0."""
        gain, grain = self._light_fields()
        pending = list(self._changes)
        settled, lit = self._settled(gain)
        index = 0
        while index / self.look.fps < self.duration_s:
            t = index / self.look.fps
            due = [c for c in pending if c.t <= t]
            camera = self._camera_at(t)
            if due or camera is not self.camera:
                pending = pending[len(due) :]
                for change in due:
                    self._change(change)
                self._look_through(camera)
                settled, lit = self._settled(gain)
            frame = lit.copy()
            arms = [(i, arm) for i in range(len(self._arms)) if (arm := self._arm_at(i, t)) is not None]
            if arms:
                self._draw_arms(settled, frame, arms, gain)
            frame = lit_at(frame, t, self._lights)
            # Sensor noise from a few ready pictures: cheap, and no two neighbouring frames share one.
            frame = cv2.add(frame, grain[index % len(grain)], dtype=cv2.CV_8U)
            yield frame
            index += 1

    def _look_through(self, camera: TableCamera) -> None:
        """See the table through `camera` from now on."""
        if camera is self.camera:
            return
        between = camera.matrix @ np.linalg.inv(self.camera.matrix)
        self._base = cv2.warpPerspective(
            self._base, between, self.look.size_px, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT
        )
        self.camera = camera

    def _change(self, change: _Change) -> None:
        here, card = self._spots.setdefault(change.spot, _Spot()), change.card
        match change.what:
            case "put" if card is not None:
                here.cards = [*here.cards, card][-PILE_DEPTH_DRAWN:]
            case "take":
                if here.cards:
                    here.cards.pop()
                if card is not None and not (here.cards and here.cards[-1].card == card.card):
                    here.cards = [*here.cards[:-1], card] if here.cards else [card]
                elif card is None:
                    here.cards = []
            case "drop" if card is not None:
                gone = next(
                    (c for c in reversed(here.cards) if (c.card, c.deck) == (card.card, card.deck)), None
                )
                here.cards = [c for c in here.cards if c is not gone]
            case "clear":
                here.cards = []
            case "show" if card is not None:
                here.cards = [card]
            case "shift":
                here.cards = [_shifted(c, change.by, here.cards[-1].centre_mm) for c in here.cards]
            case "turn" if here.cards:
                here.cards = [*here.cards[:-1], replace(here.cards[-1], card=None)]

    def _settled(self, gain: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        painter = Painter(self._base.copy(), self.camera, self._shadow)
        for spot in self._spots.values():
            for placed in spot.cards:
                painter.lay(placed)
        self._painter = painter
        return painter.picture, self._lit(painter.picture, gain)

    def truth_of_cards(self) -> tuple[CardTruth, ...]:
        """The cards lying on the table in the last picture drawn (arms do not count as covering)."""
        return self._painter.truths()

    def _lit(self, part: np.ndarray, gain: np.ndarray) -> np.ndarray:
        lit = np.clip(part * gain, 0, 255).astype(np.uint8)
        return (
            cv2.GaussianBlur(lit, (0, 0), self.look.light.blur_px) if self.look.light.blur_px > 0.3 else lit
        )

    def _draw_arms(
        self,
        settled: np.ndarray,
        frame: np.ndarray,
        arms: list[tuple[int, tuple[tuple[float, float], Placed | None]]],
        gain: np.ndarray,
    ) -> None:
        dirty = settled.copy()
        painter = Painter(dirty, self.camera, self._shadow)
        touched = np.zeros(dirty.shape[:2], bool)
        for index, (at, carried) in arms:
            if carried is not None:
                painter.lay(carried, lift_mm=14.0)
            seat = self.seating.seats[index % len(self._deals)]
            origin = seat.at(70.0 if index < len(self._deals) else -150.0, -420.0)
            aim = np.array(at) - np.array(origin)
            tip = np.array(at) + aim / max(float(np.linalg.norm(aim)), 1e-6) * 12
            touched |= put_arm(
                dirty, None, self.camera, (float(tip[0]), float(tip[1])), origin, self._arms[index]
            )
        touched |= painter.covered > 0
        area = cv2.dilate(touched.astype(np.uint8), np.ones((31, 31), np.uint8))
        x, y, w, h = cv2.boundingRect(area)
        if w and h:
            part = np.s_[y : y + h, x : x + w]
            frame[part] = self._lit(dirty[part], gain[part])

    def _light_fields(self) -> tuple[np.ndarray, list[np.ndarray]]:
        light = self.look.light
        gains = (kelvin_gains_bgr(light.kelvin) ** (1 - light.balance) * light.exposure) ** (1 / 2.2)
        field = cv2.pow(illumination(light, self.look.size_px), 1 / 2.2)
        gain = (field[..., None] * gains).astype(np.float32)
        width, height = self.look.size_px
        grain = [
            np.clip(self._rng.normal(0, light.noise, (height, width, 3)), -40, 40).astype(np.int8)
            for _ in range(5)
        ]
        return gain, grain


def _shifted(placed: Placed, by: tuple[float, float, float], about: tuple[float, float]) -> Placed:
    """The card moved by (mm, mm, deg), turned about a point."""
    turn = math.radians(by[2])
    x, y = placed.centre_mm[0] - about[0], placed.centre_mm[1] - about[1]
    at = (
        about[0] + x * math.cos(turn) - y * math.sin(turn) + by[0],
        about[1] + x * math.sin(turn) + y * math.cos(turn) + by[1],
    )
    return replace(placed, centre_mm=at, angle_deg=placed.angle_deg + by[2])

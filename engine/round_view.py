"""What the pages show of a round beside its log: piles, tops to be counted, flags, the feed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import replace

from engine.counting import fold_notes
from engine.hub import FlagView, Phase, PileView, RoundView, TopView
from engine.round_fold import PLAYS, fold_round
from engine.ruling_lines import RulingKey, is_shown, line_key
from referee.cards import Card
from referee.events import EventType, PlayEvent, Zone
from referee.fold import effective_events, opinions
from referee.state import PileState, TableState


def view_round(
    log: Sequence[PlayEvent],
    state: TableState,
    phase: tuple[Phase, int],
    standing: Set[RulingKey],
    feed_lines: int,
) -> RoundView:
    """The round of a log whose events fold to `state`; `standing` are the rulings that still hold.

    `phase`: where it stands and since which line; the feed gives the last `feed_lines`.
    """
    return replace(
        fold_round(log),
        phase=phase[0],
        phase_seq=phase[1],
        piles=_piles(state),
        tops=_tops(log, state),
        pile_tops=_pile_tops(log, state, phase[0]),
        feed=tuple(line for line in log if not _is_own(line))[-feed_lines:],
        flags=_flags(log, standing),
    )


def _piles(state: TableState) -> tuple[PileView, ...]:
    return tuple(PileView(pile.name, pile.top, pile.complete, pile.unread) for pile in state.piles)


def _tops(log: Sequence[PlayEvent], state: TableState) -> tuple[Card, ...] | None:
    piles = (*state.piles, *state.taken)
    if any(pile.top is None for pile in piles):
        return None
    return (*state.tops(), *fold_notes(log).more_tops)


def _pile_tops(log: Sequence[PlayEvent], state: TableState, phase: Phase) -> tuple[TopView, ...]:
    """The tops to be counted, once there is something to count."""
    if phase in (Phase.WAITING, Phase.PLAYING, Phase.PAUSED):
        return ()
    plays: dict[str, list[PlayEvent]] = {}
    for event in effective_events(log):
        if event.type in PLAYS and event.zone is Zone.SHARED and event.pile is not None:
            plays.setdefault(event.pile, []).append(event)
    lying = [_top_view(pile, plays.get(pile.name, [])) for pile in state.piles]
    taken = [_top_view(pile, plays.get(pile.name, []), taken=True) for pile in state.taken]
    return (*lying, *taken)


def _flags(log: Sequence[PlayEvent], standing: Set[RulingKey]) -> tuple[FlagView, ...]:
    """Warnings and fouls in order; of a rule that spoke louder and louder of one play, the last word."""
    said = opinions(log)
    flags: dict[tuple[str, tuple[int, ...]], FlagView] = {}
    for line in log:
        if line.type is EventType.RULING and is_shown(line):
            flag = _flag(line, log, standing, said)
            flags[flag.rule, flag.of] = flag
    return tuple(flags.values())


def _flag(
    line: PlayEvent, log: Sequence[PlayEvent], standing: Set[RulingKey], said: Mapping[int, str]
) -> FlagView:
    extra = line.extra
    plays = (log[seq - 1] for seq in reversed(extra["of"]) if 1 <= seq <= len(log))
    play = next((event for event in plays if event.type in PLAYS), None)
    return FlagView(
        seq=line.seq,
        of=tuple(extra["of"]),
        t_s=line.t,
        rule=extra["rule"],
        severity=str(extra["severity"]),
        p=float(extra["p"]),
        text=extra["text"],
        option=extra.get("option"),
        pile=line.pile,
        card=line.card,
        seat=line.seat,
        stills=extra.get("stills", {}),
        opinion=said.get(line.seq),
        stands=line_key(line) in standing,
        play_seq=None if play is None else play.seq,
        reading=None if play is None else play.card,
        alternatives=() if play is None else _alternatives(play),
    )


def _top_view(pile: PileState, plays: Sequence[PlayEvent], *, taken: bool = False) -> TopView:
    """A pile's top with the plays that made it; a name may have been used again, so the top must fit."""
    wanted = None if pile.unread else pile.top
    last = next((i for i in range(len(plays) - 1, -1, -1) if plays[i].card == wanted), len(plays) - 1)
    first = next((i for i in range(last, -1, -1) if plays[i].type is EventType.STARTED), 0)
    made = plays[first : last + 1]
    others = _alternatives(made[-1]) if made else ()
    return TopView(pile.name, pile.top, tuple(play.seq for play in made), others, pile.unread, taken)


def _alternatives(play: PlayEvent) -> tuple[Card, ...]:
    """What else a card may have been, likeliest first, as far as the eyes said."""
    return tuple(Card.from_json(other) for other in play.extra.get("alternatives", ()))


def _is_own(line: PlayEvent) -> bool:
    """Whether the line tells of a player's own piles, which would push the middle out of the feed."""
    return line.zone in (Zone.SIDE, Zone.WOOD)

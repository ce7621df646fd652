"""Photographs and dealt cards on their way into the count: merged, given to players, questioned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from engine.count_findings import cards_in, count_findings
from engine.hub import PlayerView
from engine.looked_over import look_over
from engine.merging import Photograph, merge, player_of
from engine.photo import PhotoResult
from engine.setup_file import read_setup
from referee.findings import Finding, Level
from referee.rulesets import Ruleset


@dataclass(frozen=True, slots=True)
class CountedPhoto:
    """A photograph as it was read and put right. `digest` is the same for the same file given twice."""

    name: str
    digest: str
    photo: PhotoResult

    def of(self, player: str) -> Photograph:
        """What it shows, its faces taken for cards of `player`."""
        return look_over(self.name, self.digest, player, self.photo.cards)


def owner_of(name: str, backs: Sequence[str], players: Sequence[PlayerView]) -> PlayerView | None:
    """Whose cards a picture shows: by the name of its file, else by the backs if all are of one deck."""
    stem = player_of(name.rsplit(".", 1)[0]).casefold()
    for player in players:
        if player.name.casefold() in (stem, stem.removeprefix("goal-")):
            return player
    decks = set(backs)
    return next((player for player in players if decks == {player.deck}), None)


def played_entries(shown: Sequence[Photograph], players: Sequence[PlayerView]) -> list[dict[str, Any]]:
    """What the backs say of each player's played cards, as the entries of a COUNT command."""
    decks = merge(shown).decks
    return [
        {"player": player.name, "played": decks[player.deck], "machine_played": decks[player.deck]}
        for player in players
        if player.deck is not None and player.deck in decks
    ]


def own_entry(shown: Sequence[Photograph], player: str, *, left: bool) -> dict[str, Any]:
    """What pictures of one player's cards say: the played ones, or what is left of the goal pile."""
    merged = merge(shown)
    cards = cards_in(merged)
    faces = [card.to_json() for own in merged.faces.values() for card in own]
    # Where values count, a card that could not be read must be named before the faces can stand for all.
    known = {"faces_left" if left else "faces": faces} if faces and len(faces) == cards else {}
    if left:
        return {"player": player, "left": cards, **known}
    return {"player": player, "played": cards, "machine_played": cards, **known}


def picture_findings(
    shown: Sequence[Photograph], players: Sequence[PlayerView], rules: Ruleset
) -> tuple[Finding, ...]:
    """What the pictures show against themselves; what the tops say is told by the audit of the count."""
    people = [{"name": player.name, "deck": player.deck} for player in players if player.deck is not None]
    findings = count_findings(merge(shown), rules, setup=read_setup({"players": people}))
    return tuple(finding for finding in findings if finding.level in (Level.WARNING, Level.ERROR))

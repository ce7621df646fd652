"""Rulings: what the referee says of an event, with the rule, how sure it is, and one plain sentence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from referee.cards import Card
from referee.rule_texts import Severity
from referee.rulesets import RULESET_VERSION


@dataclass(frozen=True, slots=True)
class Ruling:
    """A proposal of the referee; it never changes a score by itself.

    `of`: the seqs of the events that it is about. `p`: probability that the rule was broken (or the event
    took place). `option`: the option that made the difference, if one did. `t` s: when the event took place.
    """

    of: tuple[int, ...]
    rule: str
    severity: Severity
    p: float
    text: str
    option: str | None = None
    t: float | None = None
    pile: str | None = None
    card: Card | None = None
    seat: str | None = None
    ruleset_version: str = RULESET_VERSION

    def to_json(self) -> dict[str, Any]:
        """A ruling line of the log without its `seq`, which the log gives."""
        return {
            "type": "ruling",
            "of": list(self.of),
            "rule": self.rule,
            "severity": str(self.severity),
            "p": round(self.p, 4),
            "text": self.text,
            "option": self.option,
            "t": self.t,
            "pile": self.pile,
            "card": None if self.card is None else self.card.to_json(),
            "seat": self.seat,
            "ruleset_version": self.ruleset_version,
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Ruling:
        """The inverse of `to_json`; keys that are not known are ignored.

        Raises:
            ValueError: if a needed key is missing or has the wrong form.
        """
        try:
            card = data.get("card")
            t = data.get("t")
            return cls(
                of=tuple(int(seq) for seq in data["of"]),
                rule=str(data["rule"]),
                severity=Severity(data["severity"]),
                p=float(data["p"]),
                text=str(data["text"]),
                option=data.get("option"),
                t=None if t is None else float(t),
                pile=data.get("pile"),
                card=None if card is None else Card.from_json(card),
                seat=data.get("seat"),
                ruleset_version=str(data.get("ruleset_version", RULESET_VERSION)),
            )
        except (KeyError, TypeError) as error:
            raise ValueError(f"{data!r} is no ruling") from error

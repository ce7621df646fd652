"""Something held under the camera: every pile is gone at once, which no play can bring about."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class EclipseSettings:
    """Shares are of the piles that can be judged; times in seconds."""

    least_piles: int = 4
    gone_share: float = 0.75
    """So many piles, and this share of all, never leave the table between two looks."""
    back_share: float = 0.5
    """The table is in sight once this share shows, or so many cards are found: it may have been moved."""
    told_after_s: float = 1.0
    """What passes sooner is not told."""
    most_s: float = 20.0
    """After so long the table is taken for cleared."""


class Eclipse:
    """Whether the table is covered: `since_s` while it is, `told` whether that was told."""

    def __init__(self, settings: EclipseSettings | None = None) -> None:
        self.settings = settings or EclipseSettings()
        self.since_s: float | None = None
        self.told = False
        self._cleared = False

    def look(self, gone: int, shown: int, found: int, t_s: float) -> bool:
        """Whether the table is covered at `t_s`.

        `gone`: piles that can be judged and show no card; `shown`: those that show one; `found`: cards found
        anywhere in the picture.
        """
        s, judged = self.settings, gone + shown
        bare = gone >= s.least_piles and gone >= s.gone_share * judged
        in_sight = max(shown, found) >= s.back_share * judged
        self._cleared &= bare
        if self.since_s is None:
            if bare and not in_sight and not self._cleared:
                self.since_s, self.told = t_s, False
        elif t_s - self.since_s > s.most_s:
            self._cleared, self.since_s = True, None
        elif judged and in_sight:
            self.since_s = None
        return self.since_s is not None

    def due(self, t_s: float) -> bool:
        """Whether it is time to tell that the table is covered; that is told once."""
        if self.since_s is None or self.told or t_s - self.since_s < self.settings.told_after_s:
            return False
        self.told = True
        return True

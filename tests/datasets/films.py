"""Short films of rounds, as bundles make them but without a file."""

from __future__ import annotations

import numpy as np

from datasets.bundles import BundleSpec, _look, confusers, play
from datasets.rounds import RoundFilm
from datasets.simulate import Injected
from datasets.surfaces import Surfaces
from referee.rulesets import for_players, ruleset


def film(spec: BundleSpec) -> tuple[RoundFilm, Injected]:
    """The film of a spec, ended after its `most_s` of play."""
    rules = for_players(ruleset("dutch_blitz"), spec.players)
    played = play(spec, rules)
    plays = [p for p in played.plays if spec.most_s is None or p.t <= spec.most_s]
    rng = np.random.default_rng((spec.seed, 1))
    look = _look(spec, rng)
    surfaces = Surfaces(spec.split, 2)
    besides = confusers(spec, plays)
    sides = rules.number("side_piles")
    return RoundFilm(look, played.deals, plays, surfaces, rng, sides, besides), played

"""Words to teach hearing with: calls, what sounds like them, common words, and words that do not exist."""

from __future__ import annotations

import numpy as np

from datasets.speech import NEAR_WORDS, listed, near_words

CALLS = (
    "blitz",
    "nertz",
    "dutch",
    "hoorah",
    "stop",
    "done",
    "hey dutch",
    "ligretto",
    "racing demon",
    "pounce",
)
"""What tables call out."""
COMMON = listed(
    """about above after again air all along also always animal another answer any apple around ask away
    baby back ball banjo bank basket bath beach bean bear because bed before began behind below best
    better between big bird birthday black blanket blue boat body book both bottle bottom box boy bread
    bridge bright bring brother brown bucket bus butter button cake call came camera can candle car card
    carry castle cat chair change cheese chicken child circle city class clean clock close cloud coat
    coffee cold colour come copper corner could count country cow cross cup curtain dance dark day deal
    deep desk dinner dish doctor dog door down draw dream dress drink drive dry ear early east easy eat
    egg eight elbow eleven empty end engine enough even evening ever every eye face fall family far farm
    fast father feather feel few field fifteen fifty find fine finger fire first fish five flag flat
    floor flower fly follow foot forest forty four fourteen fox free fresh friday friend frog from front
    fruit full game garden gate get girl give glad glass glove go gold good goose grass grey ground
    group grow guess guitar hair half hammer hand happy hard hat have head heart heavy help here hide
    high hill hold hole home honey hope horse hospital hot hour house how hundred ice idea inside island
    jacket jam join juice jump just kangaroo keep kettle key kitchen kite knee knife ladder lake lamp
    large last later laugh leaf learn leave left leg lemon letter light line lion listen little lock
    long look loud love lunch machine magic many map marble market match middle milk minute mirror
    monday money monkey month moon morning mother mountain mouse mouth move music name near neck needle
    never new night nine no noise north nose nothing now number ocean often oil old once one onion only
    open orange other out outside over own page paint paper park party pencil people pepper person piano
    picture piece pile pink place plane plant plate play please pocket point pond pot potato pull purple
    push put queen question quick quiet rabbit radio rain read real red rest rice ride right ring river
    road rock roof room rope round rubber run sand saturday school scissors sea second see seven shadow
    shape sheep shelf ship shirt shoe shop short shoulder shout side silver simple sing sister sit six
    sky sleep slow small smile snow soap soft some song soon sorry sound soup south space spoon sport
    spring square stairs stand star start station stay stone storm story straight street strong sugar
    summer sun sunday supper sure surprise swim table tail talk tall tea teacher tell ten tent thank
    there thing think thirteen thirty thousand three thumb thursday ticket tiger time tired today
    together tomorrow tongue tooth top towel town toy train travel tree triangle trip trouble truck true
    try tuesday turn twelve twenty two umbrella uncle under until up very village visit voice wait walk
    wall want warm wash watch water wave weather wednesday week welcome well west wet what wheel when
    where white who whole why wide wild wind window winter wish with wolf woman wonder wood wool word
    work world wrong yard year yellow yes yesterday you young zebra zero"""
)
_STARTS = listed(
    "p b t d k g f v s z S tS dZ T h m n l r w j bl br pl pr tr dr kr kl gl gr fl fr sp st sk sl sm"
)
_MIDDLES = listed("I E a V 0 U i: u: A: 3: O: eI aI OI aU oU")
_ENDS = listed("p t k b d g f v s z S tS dZ m n N l ts ks st nd nt mp lk")


def invented(count: int, seed: int) -> tuple[str, ...]:
    """So many different words of one to three syllables that no language has, as eSpeak NG spells sounds."""
    rng = np.random.default_rng(seed)

    def one(sounds: list[str]) -> str:
        return sounds[rng.integers(len(sounds))]

    found: dict[str, None] = {}
    while len(found) < count:
        syllables = int(rng.choice([1, 2, 3], p=[0.45, 0.4, 0.15]))
        stressed = int(rng.integers(syllables))
        sounds = ""
        for number in range(syllables):
            start = one(_STARTS) if number or rng.random() < 0.9 else ""
            end = one(_ENDS) if number == syllables - 1 and rng.random() < 0.75 else ""
            sounds += ("'" if number == stressed else "") + start + one(_MIDDLES) + end
        found[f"[[{sounds}]]"] = None
    return tuple(found)


def vocabulary(invented_count: int, seed: int, held_out: tuple[str, ...] = ()) -> tuple[str, ...]:
    """All words to teach with, each once; those of `held_out` and what sounds like them are left out."""
    near = tuple(word for call in NEAR_WORDS for word in near_words(call))
    left_out = {word for call in held_out for word in (call, *near_words(call))}
    real = [word for word in dict.fromkeys((*CALLS, *near, *COMMON)) if word not in left_out]
    return (*real, *invented(invented_count, seed))

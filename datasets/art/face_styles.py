"""The styles of our Dutch-Blitz-like faces: who drew the figures, the hex sign and the ornaments."""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace

from datasets.art.figures import Figure
from datasets.art.signs import Sign


@dataclass(frozen=True, slots=True)
class FaceStyle:
    """One drawing of the face."""

    figure: Figure = field(default_factory=Figure)
    sign: Sign = field(default_factory=Sign)
    white_edge_p: float = 0.15
    frame: str = "none"


STYLES: dict[str, FaceStyle] = {
    "meadow": FaceStyle(),
    "barn": FaceStyle(
        Figure(
            hat_width=6.2,
            crown=1.2,
            body=3.4,
            leg=1.9,
            angular=True,
            vest="open",
            hem="double",
            hand_holds="pail",
        ),
        Sign(
            edge="saw", teeth=24, ring=0.86, bite=0.08, tulip="lobes", middle="diamond", ornament="diamonds"
        ),
    ),
    "market": FaceStyle(
        Figure(
            hat_width=5.0,
            crown=2.0,
            head=1.6,
            body=2.5,
            stride=0.85,
            leg=1.2,
            vest="braces",
            hem="scallop",
            hand_holds="basket",
            bonnet="long",
        ),
        Sign(
            edge="petal",
            teeth=12,
            ring=0.86,
            bite=0.1,
            heart=0.34,
            heart_outline=True,
            tulip="bud",
            middle="rosette",
            ornament="tulip",
        ),
    ),
    "quilt": FaceStyle(
        Figure(
            hat_width=5.8,
            crown=1.5,
            stride=1.12,
            leg=1.6,
            arm=1.3,
            vest="buttons",
            hem="dots",
            hand_holds="nothing",
            skirt=8.2,
        ),
        Sign(
            edge="wave",
            teeth=20,
            ring=0.82,
            inner_ring=0.72,
            heart=0.26,
            tulip="three",
            tulip_length=0.58,
            middle="disc",
            ornament="wheat",
        ),
    ),
    "mill": FaceStyle(
        Figure(
            hat_width=6.6,
            crown=1.1,
            head=1.3,
            body=2.6,
            stride=1.15,
            leg=1.25,
            arm=0.9,
            vest="none",
            hem="band",
            hand_holds="stick",
            face_gap=False,
            skirt=6.8,
        ),
        Sign(
            edge="scallop",
            teeth=32,
            ring=0.88,
            bite=0.05,
            inner_ring=0.77,
            heart=0.27,
            tulip="cup",
            tulip_length=0.66,
            middle="rosette",
            ornament="rope",
        ),
        white_edge_p=0.5,
    ),
    "orchard": FaceStyle(
        Figure(
            hat_width=4.8,
            crown=1.9,
            head=1.7,
            body=3.2,
            stride=0.8,
            leg=1.8,
            arm=1.4,
            vest="line",
            hem="scallop",
            hand_holds="flower",
            bonnet="long",
            skirt=8.4,
        ),
        Sign(
            edge="scallop",
            teeth=10,
            ring=0.85,
            bite=0.12,
            heart=0.36,
            heart_at=0.46,
            tulip="lobes",
            middle="disc",
            ornament="hearts",
        ),
    ),
    "chapel": FaceStyle(
        Figure(
            hat_width=5.6,
            crown=1.4,
            angular=True,
            body=2.8,
            stride=0.95,
            leg=1.4,
            vest="braces",
            hem="double",
            hand_holds="stick",
            face_gap=False,
        ),
        Sign(
            edge="plain",
            ring=0.8,
            inner_ring=0.73,
            heart=0.25,
            heart_at=0.45,
            heart_outline=True,
            tulip="three",
            middle="star",
            ornament="column",
        ),
        frame="line",
    ),
    "brook": FaceStyle(
        Figure(
            hat_width=5.9,
            crown=1.7,
            head=1.5,
            body=3.0,
            stride=1.05,
            leg=1.5,
            vest="open",
            hem="dots",
            hand_holds="basket",
            skirt=7.8,
            bonnet="round",
        ),
        Sign(
            edge="petal",
            teeth=20,
            ring=0.87,
            bite=0.07,
            heart=0.31,
            tulip="bud",
            tulip_length=0.6,
            middle="diamond",
            ornament="scroll",
        ),
    ),
    "harvest": FaceStyle(
        Figure(
            hat_width=6.0,
            crown=2.1,
            head=1.35,
            body=3.6,
            stride=0.9,
            leg=2.0,
            arm=1.5,
            vest="buttons",
            hem="band",
            hand_holds="pail",
            skirt=7.0,
            angular=True,
            bonnet="long",
        ),
        Sign(
            edge="saw",
            teeth=16,
            ring=0.88,
            bite=0.14,
            heart=0.29,
            heart_at=0.44,
            tulip="cup",
            tulip_length=0.56,
            middle="star",
            ornament="rings",
        ),
        white_edge_p=0.3,
    ),
    "lantern": FaceStyle(
        Figure(
            hat_width=5.2,
            crown=1.6,
            head=1.45,
            body=2.7,
            stride=1.0,
            leg=1.35,
            arm=1.0,
            vest="none",
            hem="double",
            hand_holds="flower",
            skirt=7.6,
        ),
        Sign(
            edge="wave",
            teeth=12,
            ring=0.85,
            bite=0.13,
            heart=0.3,
            heart_at=0.5,
            tulip="lobes",
            tulip_length=0.64,
            middle="rosette",
            ornament="vine",
        ),
        frame="double",
    ),
    "sampler": FaceStyle(
        Figure(
            hat_width=5.5,
            crown=1.3,
            head=1.55,
            body=2.4,
            stride=1.2,
            leg=1.1,
            arm=0.85,
            vest="buttons",
            hem="scallop",
            hand_holds="flower",
            skirt=8.8,
            bonnet="long",
        ),
        Sign(
            edge="scallop",
            teeth=24,
            ring=0.9,
            bite=0.06,
            inner_ring=0.8,
            heart=0.33,
            heart_at=0.5,
            heart_outline=True,
            tulip="cup",
            tulip_length=0.7,
            middle="diamond",
            ornament="tulip",
        ),
        white_edge_p=0.05,
    ),
    "smithy": FaceStyle(
        Figure(
            hat_width=6.8,
            crown=1.5,
            head=1.6,
            body=3.8,
            stride=0.95,
            leg=2.2,
            arm=1.7,
            vest="none",
            hem="band",
            hand_holds="stick",
            face_gap=False,
            skirt=8.0,
        ),
        Sign(
            edge="wave",
            teeth=16,
            ring=0.78,
            bite=0.1,
            heart=0.28,
            heart_at=0.42,
            tulip="bud",
            tulip_length=0.55,
            middle="star",
            ornament="diamonds",
        ),
    ),
    "pasture": FaceStyle(
        Figure(
            hat_width=5.0,
            crown=1.8,
            head=1.3,
            body=2.7,
            stride=1.1,
            leg=1.4,
            arm=1.0,
            vest="braces",
            hem="dots",
            hand_holds="basket",
            skirt=6.6,
            angular=True,
        ),
        Sign(
            edge="petal",
            teeth=8,
            ring=0.88,
            bite=0.16,
            heart=0.34,
            heart_at=0.52,
            tulip="three",
            tulip_length=0.64,
            middle="disc",
            ornament="column",
        ),
    ),
}


def vary(style: FaceStyle, rng: random.Random) -> FaceStyle:
    """The style with its lengths a few per cent longer or shorter: no two printings agree in every detail."""

    def about(length: float) -> float:
        return length * rng.uniform(0.94, 1.06)

    f, s = style.figure, style.sign
    figure = replace(
        f,
        hat_width=about(f.hat_width),
        crown=about(f.crown),
        head=about(f.head),
        body=about(f.body),
        stride=about(f.stride),
        leg=about(f.leg),
        arm=about(f.arm),
        skirt=about(f.skirt),
    )
    sign = replace(
        s,
        teeth=s.teeth + rng.choice((-2, 0, 0, 2)),
        bite=about(s.bite),
        heart=about(s.heart),
        tulip_length=about(s.tulip_length),
    )
    return replace(style, figure=figure, sign=sign)

"""The walking boy and girl of the Dutch-Blitz-like faces, as filled silhouettes.

Each is drawn in a box of 10 x 18 units, facing right, feet at the bottom.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from datasets.art.canvas import Bgr, Canvas, arc, box, smooth


@dataclass(frozen=True, slots=True)
class Figure:
    """How a style draws its people. Lengths are in units of the 10 x 18 box."""

    hat_width: float = 5.4
    crown: float = 1.7
    head: float = 1.45
    body: float = 2.9
    stride: float = 1.0
    leg: float = 1.5
    arm: float = 1.1
    hand_holds: str = "nothing"
    skirt: float = 7.4
    hem: str = "band"
    angular: bool = False
    vest: str = "line"
    face_gap: bool = True
    bonnet: str = "round"


def boy(canvas: Canvas, figure: Figure, black: Bgr, pale: Bgr) -> None:
    """A boy in a flat hat with a long stride."""
    curve = _corners if figure.angular else smooth
    f = figure
    neck_x, hip_y = 5.1, 10.6
    reach = 3.4 * f.stride
    back_leg = [(neck_x - 0.4, hip_y - 0.6), (neck_x - reach * 0.55, 13.8), (neck_x - reach * 1.12, 16.9)]
    front_leg = [(neck_x + 0.3, hip_y - 0.6), (neck_x + reach * 0.68, 13.6), (neck_x + reach * 0.95, 17.0)]
    for leg in (back_leg, front_leg):
        canvas.stroke(curve(leg), f.leg, black)
        x, y = leg[-1]
        canvas.fill(
            curve(
                [
                    (x - 0.7, y + 0.9),
                    (x - 0.7, y - 0.4),
                    (x + 0.7, y - 0.3),
                    (x + 1.9, y + 0.4),
                    (x + 1.9, y + 0.9),
                ]
            ),
            black,
        )
    half = f.body / 2
    torso = [
        (neck_x - 0.6, 5.2),
        (neck_x - half * 0.95, 6.0),
        (neck_x - half * 0.9, 8.6),
        (neck_x - half * 1.05, 11.6),
        (neck_x + half * 0.95, 11.6),
        (neck_x + half * 0.95, 8.4),
        (neck_x + half * 0.8, 6.0),
        (neck_x + 0.6, 5.2),
    ]
    canvas.fill(np.asarray(torso), black)
    back_hand, front_hand = (neck_x - 3.3, 10.4), (neck_x + 3.6, 9.2)
    canvas.stroke(curve([(neck_x - 0.9, 6.2), (neck_x - 2.4, 8.2), back_hand]), f.arm, black)
    canvas.stroke(curve([(neck_x + 0.8, 6.2), (neck_x + 2.0, 8.5), front_hand]), f.arm, black)
    _held(canvas, f.hand_holds, front_hand, black, pale)
    if f.vest == "line":
        canvas.stroke([(neck_x + half * 0.35, 5.6), (neck_x + half * 0.45, 10.6)], 0.3, pale)
    elif f.vest == "open":
        canvas.fill(
            np.asarray([(neck_x + 0.2, 5.4), (neck_x + half * 0.75, 6.2), (neck_x + half * 0.6, 9.6)]), pale
        )
    elif f.vest == "braces":
        canvas.stroke(smooth([(neck_x - 0.7, 5.6), (neck_x + 0.1, 7.4), (neck_x + 0.1, 10.2)]), 0.3, pale)
        canvas.stroke([(neck_x - half * 0.85, 10.3), (neck_x + half * 0.9, 10.3)], 0.3, pale)
    elif f.vest == "buttons":
        for y in (6.6, 8.0, 9.4):
            canvas.disc(neck_x + half * 0.5, y, 0.24, pale)
    head_x, head_y = 5.5, 4.0
    _head(canvas, head_x, head_y, f, black)
    brim_y = head_y - f.head * 0.5
    if f.face_gap:
        canvas.stroke(
            [(head_x - f.hat_width * 0.42, brim_y + 0.5), (head_x + f.hat_width * 0.42, brim_y + 0.5)],
            0.28,
            pale,
        )
    canvas.fill(arc(head_x, brim_y, f.hat_width / 2, 0.5, power=2.6), black)
    crown = [
        (head_x - 1.5, brim_y),
        (head_x - 1.35, brim_y - f.crown),
        (head_x + 1.3, brim_y - f.crown),
        (head_x + 1.5, brim_y),
    ]
    canvas.fill(np.asarray(crown), black)
    if f.vest in ("open", "braces"):
        canvas.stroke([(head_x - 1.4, brim_y - 0.62), (head_x + 1.4, brim_y - 0.62)], 0.26, pale)


def girl(canvas: Canvas, figure: Figure, black: Bgr, pale: Bgr) -> None:
    """A girl in a bonnet and a bell-shaped dress with a pale hem."""
    f = figure
    curve = _corners if f.angular else smooth
    middle, half = 5.0, f.skirt / 2
    for x, lift in ((middle - 1.3, 0.35), (middle + 1.5, 0.0)):
        canvas.stroke([(x, 15.0), (x + 0.1, 17.0 - lift)], f.leg * 0.7, black)
        y = 17.1 - lift
        canvas.fill(
            curve(
                [
                    (x - 0.6, y + 0.7),
                    (x - 0.6, y - 0.3),
                    (x + 0.6, y - 0.3),
                    (x + 1.7, y + 0.3),
                    (x + 1.7, y + 0.7),
                ]
            ),
            black,
        )
    left = [
        (middle - 0.5, 5.2),
        (middle - 1.4, 6.0),
        (middle - 1.15, 8.6),
        (middle - half * 0.62, 12.0),
        (middle - half, 15.6),
    ]
    right = [
        (middle + half, 15.6),
        (middle + half * 0.55, 12.0),
        (middle + 1.1, 8.6),
        (middle + 1.4, 6.0),
        (middle + 0.6, 5.2),
    ]
    canvas.fill(np.vstack([curve(left), curve(right)]), black)
    hem_y = 14.3
    edge = half * 0.86
    if f.hem == "band":
        canvas.stroke([(middle - edge, hem_y), (middle + edge, hem_y)], 0.5, pale)
    elif f.hem == "double":
        canvas.stroke([(middle - edge, hem_y + 0.5), (middle + edge, hem_y + 0.5)], 0.3, pale)
        canvas.stroke([(middle - edge * 0.93, hem_y - 0.5), (middle + edge * 0.93, hem_y - 0.5)], 0.3, pale)
    elif f.hem == "scallop":
        for x in np.linspace(middle - edge + 0.6, middle + edge - 0.6, 5):
            canvas.stroke(arc(x, hem_y - 0.1, 0.65, 0.65, 0, 180), 0.28, pale)
    elif f.hem == "dots":
        for x in np.linspace(middle - edge + 0.5, middle + edge - 0.5, 6):
            canvas.disc(x, hem_y, 0.3, pale)
    if f.vest in ("open", "braces"):
        canvas.stroke(curve([(middle + 0.9, 8.8), (middle + 1.1, 11.0), (middle + 1.8, 13.4)]), 0.28, pale)
        canvas.stroke([(middle - 1.1, 8.7), (middle + 1.1, 8.7)], 0.28, pale)
    elif f.vest == "line":
        canvas.stroke([(middle - 1.1, 8.8), (middle + 1.1, 8.8)], 0.3, pale)
    front_hand = (middle + 3.5, 10.0)
    canvas.stroke(curve([(middle - 0.9, 6.4), (middle - 2.3, 8.2), (middle - 3.1, 10.2)]), f.arm, black)
    canvas.stroke(curve([(middle + 0.9, 6.4), (middle + 2.1, 8.4), front_hand]), f.arm, black)
    _held(canvas, f.hand_holds, front_hand, black, pale)
    head_x, head_y = 5.3, 3.4
    _head(canvas, head_x, head_y, f, black)
    r = f.head * 1.12
    if f.bonnet == "round":
        canvas.fill(arc(head_x - 0.45, head_y - 0.2, r * 1.12, r * 1.2), black)
        brim = [
            (head_x - 0.1, head_y - r * 1.35),
            (head_x + r * 1.15, head_y - r * 1.1),
            (head_x + r * 0.75, head_y - 0.3),
            (head_x, head_y - 0.2),
        ]
    else:
        canvas.fill(
            curve(
                [
                    (head_x + 0.2, head_y - r * 1.25),
                    (head_x - r * 1.2, head_y - r * 0.9),
                    (head_x - r * 1.6, head_y + 0.3),
                    (head_x - r * 0.7, head_y + r * 1.1),
                    (head_x, head_y + 0.9),
                ]
            ),
            black,
        )
        brim = [
            (head_x - 0.3, head_y - r * 1.25),
            (head_x + r * 1.5, head_y - r * 1.15),
            (head_x + r * 0.8, head_y - 0.2),
            (head_x - 0.2, head_y),
        ]
    canvas.fill(np.asarray(brim), black)
    if f.face_gap:
        canvas.stroke([(head_x + 0.05, head_y - r * 1.1), (head_x - 0.1, head_y + r * 0.85)], 0.24, pale)
    canvas.fill(
        np.asarray(
            [
                (head_x - 0.6, head_y + 1.2),
                (head_x + 0.3, head_y + 1.1),
                (head_x + 0.2, head_y + 2.4),
                (head_x - 0.8, head_y + 2.6),
            ]
        ),
        black,
    )


def _corners(points: list[tuple[float, float]]) -> np.ndarray:
    return np.asarray(points, dtype=np.float64)


def _head(canvas: Canvas, x: float, y: float, figure: Figure, black: Bgr) -> None:
    r = figure.head
    canvas.fill(arc(x, y, r * 0.95, r, steps=6 if figure.angular else 40), black)
    canvas.fill(
        np.asarray([(x + r * 0.75, y - 0.35), (x + r * 1.35, y + 0.3), (x + r * 0.75, y + 0.55)]), black
    )
    canvas.fill(box(x - 0.7, y + r * 0.6, x + 0.5, y + r * 1.3), black)


def _held(canvas: Canvas, what: str, hand: tuple[float, float], black: Bgr, pale: Bgr) -> None:
    x, y = hand
    if what == "basket":
        canvas.stroke(arc(x - 0.1, y + 1.5, 1.1, 1.6, 180, 360), 0.35, black)
        canvas.fill(
            np.asarray([(x - 1.4, y + 1.6), (x + 1.2, y + 1.6), (x + 0.9, y + 3.2), (x - 1.1, y + 3.2)]),
            black,
        )
        canvas.stroke([(x - 1.1, y + 2.3), (x + 0.9, y + 2.3)], 0.22, pale)
    elif what == "stick":
        canvas.stroke([(x - 0.3, y - 1.6), (x + 0.9, y + 7.4)], 0.45, black)
    elif what == "flower":
        canvas.stroke([(x, y + 0.8), (x + 0.3, y - 2.2)], 0.35, black)
        for k in range(5):
            a = k * 2 * np.pi / 5
            canvas.disc(x + 0.3 + 0.6 * np.cos(a), y - 2.8 + 0.6 * np.sin(a), 0.45, black)
    elif what == "pail":
        canvas.stroke([(x, y), (x, y + 1.6)], 0.3, black)
        canvas.stroke(arc(x, y + 2.6, 1.0, 1.1, 180, 360), 0.3, black)
        canvas.fill(
            np.asarray([(x - 1.15, y + 2.5), (x + 1.15, y + 2.5), (x + 0.8, y + 4.6), (x - 0.8, y + 4.6)]),
            black,
        )

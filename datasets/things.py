"""What else lies on a table: mugs, phones, chips, paper, boxes, pens, rulers."""

from __future__ import annotations

import cv2
import numpy as np

from datasets.camera import TableCamera, card_corners_mm


def _colour(rng: np.random.Generator, low: int = 15, high: int = 240) -> list[float]:
    return rng.uniform(low, high, 3).tolist()


def _fill(picture: np.ndarray, covered: np.ndarray, points: np.ndarray, colour: list[float]) -> None:
    whole = np.round(points * 16).astype(np.int32)
    cv2.fillPoly(picture, [whole], colour, cv2.LINE_AA, 4)
    cv2.fillPoly(covered, [whole], 0, cv2.LINE_8, 4)


def _disc(camera: TableCamera, centre: tuple[float, float], radius_mm: float) -> np.ndarray:
    angle = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    return camera.project(np.stack([np.cos(angle), np.sin(angle)], 1) * radius_mm + np.asarray(centre))


def _box(
    camera: TableCamera, centre: tuple[float, float], size: tuple[float, float], angle_deg: float
) -> np.ndarray:
    return camera.project(card_corners_mm(centre, angle_deg, size))


def put_thing(
    picture: np.ndarray,
    covered: np.ndarray,
    camera: TableCamera,
    centre_mm: tuple[float, float],
    rng: np.random.Generator,
) -> None:
    """Draw a random thing at `centre_mm` into `picture`; where it lies `covered` (int16 (H, W)) becomes 0."""
    angle = float(rng.uniform(0, 180))
    x, y = centre_mm
    kind = rng.integers(0, 9)
    if kind == 0:
        radius = rng.uniform(30, 48)
        colour = _colour(rng)
        _fill(
            picture,
            covered,
            _disc(camera, (x + radius * 0.25, y + radius * 0.25), radius * 1.05),
            _colour(rng, 5, 40),
        )
        _fill(picture, covered, _disc(camera, centre_mm, radius), colour)
        _fill(picture, covered, _disc(camera, centre_mm, radius * 0.86), _colour(rng, 10, 90))
        _fill(picture, covered, _box(camera, (x + radius * 1.3, y), (radius * 0.6, radius * 0.3), 0), colour)
    elif kind == 1:
        size = (rng.uniform(66, 80), rng.uniform(135, 165))
        _fill(picture, covered, _box(camera, centre_mm, size, angle), _colour(rng, 5, 60))
        _fill(
            picture, covered, _box(camera, centre_mm, (size[0] - 7, size[1] - 7), angle), _colour(rng, 5, 200)
        )
    elif kind == 2:
        for _ in range(int(rng.integers(1, 7))):
            at = (x + rng.normal(0, 40), y + rng.normal(0, 40))
            colour = _colour(rng)
            _fill(picture, covered, _disc(camera, at, 20), colour)
            for k in range(6):
                a = k * np.pi / 3 + angle
                spot = (at[0] + 17 * np.cos(a), at[1] + 17 * np.sin(a))
                _fill(picture, covered, _disc(camera, spot, 3.2), [235.0] * 3)
            _fill(picture, covered, _disc(camera, at, 11), np.clip(np.array(colour) * 0.8, 0, 255).tolist())
    elif kind == 3:
        size = (rng.uniform(90, 210), rng.uniform(120, 297))
        _fill(picture, covered, _box(camera, centre_mm, size, angle), rng.uniform(205, 250, 3).tolist())
        for row in range(int(rng.integers(0, 16))):
            offset = np.array([0, -size[1] / 2 + 14 + row * 8.0])
            c, s = np.cos(np.radians(angle)), np.sin(np.radians(angle))
            at = (x - s * offset[1], y + c * offset[1])
            _fill(
                picture, covered, _box(camera, at, (size[0] * rng.uniform(0.4, 0.85), 1.6), angle), [90.0] * 3
            )
    elif kind == 4:
        # A bank card, coaster or foreign card: card-sized, rounded or not, with other print.
        size = (rng.uniform(45, 95), rng.uniform(45, 95))
        colour = _colour(rng)
        _fill(picture, covered, _box(camera, centre_mm, size, angle), colour)
        for _ in range(int(rng.integers(1, 5))):
            at = (x + rng.uniform(-0.3, 0.3) * size[0], y + rng.uniform(-0.3, 0.3) * size[1])
            part = (size[0] * rng.uniform(0.1, 0.5), size[1] * rng.uniform(0.04, 0.3))
            _fill(picture, covered, _box(camera, at, part, angle), _colour(rng))
    elif kind == 5:
        length = rng.uniform(120, 160)
        colour = _colour(rng)
        _fill(picture, covered, _box(camera, centre_mm, (rng.uniform(7, 12), length), angle), colour)
        _fill(picture, covered, _box(camera, centre_mm, (2.5, length * 0.9), angle), _colour(rng))
    elif kind == 6:
        size = (rng.uniform(25, 40), rng.uniform(150, 320))
        _fill(picture, covered, _box(camera, centre_mm, size, angle), rng.uniform(150, 240, 3).tolist())
        c, s = np.cos(np.radians(angle)), np.sin(np.radians(angle))
        for k in range(int(size[1] / 5)):
            along, across = -size[1] / 2 + 5 * k, -size[0] / 2 + 4
            at = (x + c * across - s * along, y + s * across + c * along)
            _fill(picture, covered, _box(camera, at, (7, 0.9), angle), [40.0] * 3)
    elif kind == 7:
        size = (rng.uniform(60, 110), rng.uniform(80, 140))
        _fill(
            picture,
            covered,
            _box(camera, (x + 4, y + 4), (size[0] + 6, size[1] + 6), angle),
            _colour(rng, 5, 50),
        )
        _fill(picture, covered, _box(camera, centre_mm, size, angle), _colour(rng))
        _fill(picture, covered, _box(camera, centre_mm, (size[0] * 0.7, size[1] * 0.25), angle), _colour(rng))
    else:
        _fill(picture, covered, _disc(camera, centre_mm, rng.uniform(45, 110)), _colour(rng))
        if rng.random() < 0.6:
            _fill(picture, covered, _disc(camera, centre_mm, rng.uniform(20, 44)), _colour(rng))

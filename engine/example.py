"""The bundled example round: its film, who plays it, and what was called and laid in it."""

from __future__ import annotations

from pathlib import Path

BUNDLE = Path(__file__).resolve().parents[1] / "datasets" / "bundle"
FILM, SETUP, CALLS, TRUTH = "round.mp4", "SETUP.toml", "calls.jsonl", "truth.json"

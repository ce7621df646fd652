"""Only the networks that were released are opened."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from vision.models import ModelError, models_folder, open_model
from vision.reading import Eyes


def test_a_missing_model_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"finder\.onnx is missing .*; install"):
        open_model("finder.onnx", folder=tmp_path)


def test_an_altered_model_is_refused(tmp_path: Path) -> None:
    (tmp_path / "reader.onnx").write_bytes(b"as released")
    manifest = {"reader.onnx": hashlib.sha256(b"as released").hexdigest()}
    (tmp_path / "manifest.json").write_text(json.dumps(manifest))
    (tmp_path / "reader.onnx").write_bytes(b"as released, and a little more")
    with pytest.raises(ModelError, match=r"reader\.onnx was altered; install"):
        open_model("reader.onnx", folder=tmp_path)


def test_the_manifest_names_every_model_that_came_with_the_program(eyes: Eyes) -> None:
    folder = models_folder()
    manifest = json.loads((folder / "manifest.json").read_text())
    made = [path.name for path in folder.iterdir() if path.suffix in (".onnx", ".npy")]
    assert sorted(manifest) == sorted(made)
    assert set(manifest) >= {"finder.onnx", "reader.onnx"}
    for name, digest in manifest.items():
        assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == digest

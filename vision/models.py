"""Where the trained networks lie and how they are opened: ONNX only, checked against the manifest."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from importlib import resources
from pathlib import Path

import onnxruntime


class ModelError(RuntimeError):
    """A model file is missing or is not the one that was released."""


def models_folder() -> Path:
    """The folder of the trained models that came with the program."""
    return Path(str(resources.files("models")))


@cache
def _manifest(folder: Path) -> dict[str, str]:
    path = folder / "manifest.json"
    return dict(json.loads(path.read_text())) if path.exists() else {}


def open_model(name: str, *, threads: int = 1, folder: Path | None = None) -> onnxruntime.InferenceSession:
    """An inference session of `name` (for example `finder.onnx`).

    Raises:
        ModelError: if the file is missing or its sha256 is not the manifest's.
    """
    folder = folder or models_folder()
    path = folder / name
    if not path.exists():
        raise ModelError(f"the model {name} is missing from {folder}; install the program again")
    data = path.read_bytes()
    expected = _manifest(folder).get(name)
    if expected is not None and hashlib.sha256(data).hexdigest() != expected:
        raise ModelError(f"the model {name} was altered; install the program again")
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(data, options, providers=["CPUExecutionProvider"])

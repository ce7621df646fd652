"""The stock network that the finder's cost is held against; needs the extra `train`."""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import numpy as np

SIDE_PX = 640


def stock_finder() -> Callable[[np.ndarray], Any] | None:
    """YOLO11n-OBB at 640 through ultralytics on one thread: a picture BGR uint8 (H, W, 3) in, boxes out.

    The network is untrained, which costs the same. None where ultralytics is not installed.
    """
    if find_spec("ultralytics") is None or find_spec("torch") is None:
        return None
    os.environ.setdefault("YOLO_OFFLINE", "true")
    import torch
    from ultralytics import YOLO
    from ultralytics.utils import SETTINGS

    SETTINGS.update({"sync": False})
    torch.set_num_threads(1)
    model = YOLO("yolo11n-obb.yaml", task="obb")

    def find(image: np.ndarray) -> Any:
        return model.predict(image, imgsz=SIDE_PX, device="cpu", verbose=False)

    return find

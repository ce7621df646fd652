"""`blitzref corrections`: the corrected readings that are kept as pictures, and how to be rid of them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from engine.commands.common import fail, plain_errors, show_json
from engine.corrections import CorrectionStore
from engine.settings import platform_data_dir

FOLDER = "corrections"
"""Where they lie in the folder of the record."""


def corrections(
    data: Annotated[Path | None, typer.Option(help="Folder of the record; without it the usual one.")] = None,
    keep: Annotated[
        bool | None, typer.Option("--keep/--no-keep", help="Whether corrected cards are kept from now on.")
    ] = None,
    remove: Annotated[bool, typer.Option("--remove", help="Remove all of them for good.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Show, allow, stop or remove the pictures of corrected cards; nothing is kept unless you allow it.

    `blitzref train reader --corrections FOLDER` learns from them.

    Example: blitzref corrections --keep
    """
    if remove and keep:
        fail("--remove and --keep do not go together; give one of them.")
    store = CorrectionStore((data or platform_data_dir()) / FOLDER)
    with plain_errors():
        removed = store.remove_all() if remove else 0
        if keep is not None:
            store.allow(keep)
        kept = store.corrections()
    result = {
        "folder": str(store.folder),
        "allowed": store.allowed,
        "kept": len(kept),
        "mb": round(store.size_bytes / 1e6, 2),
        "removed": removed,
    }
    if as_json:
        show_json(result)
        return
    if remove:
        print(f"removed: {removed}")
    state = {
        True: "corrected cards are kept",
        False: "nothing is kept",
        None: "nothing is kept; not asked yet",
    }
    print(f"{state[store.allowed]}; {len(kept)} pictures, {result['mb']} MB, in {store.folder}")

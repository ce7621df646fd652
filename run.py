"""Sets everything up on a fresh clone and runs the demo, the tests or the training.

    python3 run.py demo             the example round in the browser
    python3 run.py test             the tests
    python3 run.py train finder     makes a model anew (downloads several GB)

Further arguments are passed on. The set-up lies in .venv (training: .venv-train);
`--venv DIR` after the command names another folder.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, NoReturn

ROOT = Path(__file__).resolve().parent
OLDEST = (3, 11)
STAMP = "blitzref-setup.json"
"""Kept in the environment: which set-up is finished there, and that this program made it."""
CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome")
CONSTRAINTS = ("constraints.txt", "constraints-train.txt")
COMMANDS = ("demo", "test", "train")
EXTRA = {"test": "dev", "train": "train"}


class SetUpError(Exception):
    """What is in the way of the set-up, in one sentence for the user."""


def main() -> None:
    """Exit status: that of the program that was run, 2 for wrong use or a set-up that cannot be made."""
    if sys.version_info < OLDEST:
        sys.exit(_refusal(f"blitzref needs Python 3.11 or newer, and this is {_version()}."))
    parser = argparse.ArgumentParser(
        prog="run.py",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
        usage="run.py {demo,test,train} [--venv DIR] [arguments passed on]",
    )
    parser.add_argument("command", choices=COMMANDS, help=argparse.SUPPRESS)
    command = parser.parse_args(sys.argv[1:2]).command
    own = argparse.ArgumentParser(prog="run.py", add_help=False, allow_abbrev=False)
    own.add_argument("--venv", type=Path, default=ROOT / (".venv-train" if command == "train" else ".venv"))
    chosen, passed_on = own.parse_known_args(sys.argv[2:])
    venv = chosen.venv.absolute()
    try:
        if set_up(venv, command) and command == "test":
            add_browser()
    except SetUpError as error:
        sys.exit(_refusal(str(error)))
    except subprocess.CalledProcessError as error:
        words = " ".join(map(str, error.cmd))
        sys.exit(_refusal(f"The set-up stopped at '{words}'; the lines above say why."))
    except OSError as error:
        sys.exit(_refusal(f"The set-up could not be made: {error}. Name another folder with --venv."))
    except KeyboardInterrupt:
        sys.exit(_refusal("The set-up was interrupted; the same command starts it again."))
    if command == "test":
        os.chdir(ROOT)
        hand_over([str(python_of(venv)), "-m", "pytest", *passed_on])
    hand_over([str(script_of(venv, "blitzref")), command, *passed_on])


def _refusal(sentence: str) -> int:
    print(sentence, file=sys.stderr)
    return 2


def _version() -> str:
    return ".".join(map(str, sys.version_info[:2]))


def set_up(venv: Path, command: str) -> bool:
    """Make what `command` needs under `venv`; False if it was all there.

    Raises:
        SetUpError: if the folder is someone else's, or Python cannot make environments.
        subprocess.CalledProcessError: if making or installing fails.
    """
    place = f"{ROOT} {venv.resolve()}"
    digest = _digest()
    stamp = _read_stamp(venv)
    if stamp is None and venv.exists() and (not venv.is_dir() or any(venv.iterdir())):
        raise SetUpError(f"{venv} holds files that run.py did not make: name a new folder with --venv.")
    usable = stamp is not None and stamp["place"] == place and stamp["digest"] and python_of(venv).exists()
    extras = {EXTRA[command]} if command in EXTRA else set()
    if stamp is not None and usable:
        extras |= set(stamp["extras"])
        if stamp["digest"] == digest and extras == set(stamp["extras"]):
            return False
    else:
        print(f"Setting up in {venv} (once; this takes some minutes)", flush=True)
        _make_environment(venv, place)
    _install(venv, sorted(extras))
    _write_stamp(venv, place, digest, sorted(extras))
    return True


def _digest() -> str:
    files = ("pyproject.toml", *CONSTRAINTS)
    return hashlib.sha256(b"\0".join((ROOT / name).read_bytes() for name in files)).hexdigest()


def _read_stamp(venv: Path) -> dict[str, Any] | None:
    try:
        stamp: dict[str, Any] = json.loads((venv / STAMP).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return stamp


def _write_stamp(venv: Path, place: str, digest: str, extras: list[str]) -> None:
    stamp = {"place": place, "digest": digest, "extras": extras}
    (venv / STAMP).write_text(json.dumps(stamp), encoding="utf-8")


def _make_environment(venv: Path, place: str) -> None:
    _need_ensurepip()
    if venv.exists():
        shutil.rmtree(venv)
    venv.mkdir(parents=True)
    _write_stamp(venv, place, "", [])
    subprocess.run([sys.executable, "-m", "venv", venv], check=True)


def _need_ensurepip() -> None:
    """Debian keeps the parts that make environments in a package of their own."""
    if importlib.util.find_spec("venv") and importlib.util.find_spec("ensurepip"):
        return
    package = f"python{_version()}-venv"
    if _may_use_apt():
        _apt_install(package)
    elif shutil.which("apt-get"):
        raise SetUpError(f"Python's venv is missing: run 'sudo apt-get install {package}', then this again.")
    else:
        raise SetUpError("This Python cannot make environments: install a whole Python from python.org.")


def _install(venv: Path, extras: list[str]) -> None:
    pip = [str(python_of(venv)), "-m", "pip", "install", "--disable-pip-version-check"]
    if not sys.stdout.isatty():
        pip.append("--quiet")
    for name in CONSTRAINTS:
        pip += ["--constraint", str(ROOT / name)]
    chosen = f"{ROOT}[{','.join(extras)}]" if extras else str(ROOT)
    subprocess.run([*pip, "--editable", chosen], check=True)
    if "train" in extras:
        # ultralytics brings opencv-python, which writes over the headless files and needs libGL.
        subprocess.run([*pip, "--force-reinstall", "--no-deps", "opencv-python-headless"], check=True)


def add_browser() -> None:
    """On Debian as root, install the browser of the browser test, which is skipped where there is none."""
    if any(map(shutil.which, CHROMIUM_NAMES)) or not _may_use_apt():
        return
    try:
        _apt_install("chromium")
    except subprocess.CalledProcessError:
        print("Chromium could not be installed; the browser test will be skipped.", file=sys.stderr)


def _may_use_apt() -> bool:
    return bool(Path("/etc/debian_version").exists() and shutil.which("apt-get")) and os.geteuid() == 0


def _apt_install(package: str) -> None:
    print(f"Installing the system package {package}", flush=True)
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    subprocess.run(["apt-get", "update", "-qq"], check=True, env=quiet)
    command = ["apt-get", "install", "-qq", "--yes", "--no-install-recommends", package]
    subprocess.run(command, check=True, env=quiet, stdout=subprocess.DEVNULL)


def python_of(venv: Path) -> Path:
    """The environment's interpreter."""
    return script_of(venv, "python")


def script_of(venv: Path, name: str) -> Path:
    """A program of the environment."""
    return venv / "Scripts" / f"{name}.exe" if os.name == "nt" else venv / "bin" / name


def hand_over(words: list[str]) -> NoReturn:
    """Become the program `words`, so that signals and the exit status are its own (Windows: wait for it)."""
    sys.stdout.flush()
    if os.name != "nt":
        os.execv(words[0], words)
    child = subprocess.Popen(words)
    while True:
        try:
            sys.exit(child.wait())
        except KeyboardInterrupt:
            continue


if __name__ == "__main__":
    main()

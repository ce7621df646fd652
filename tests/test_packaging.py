"""What is committed, what is installed, and that the two agree."""

from __future__ import annotations

import hashlib
import importlib
import json
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import run

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
MODELS = ROOT / "models"
LARGEST_BYTES = 12_000_000
# Put together here, so that this file is not a hit of its own.
REGISTRY = re.compile(rb"files\.python" + rb"hosted|pypi\.(?:org|python\.org)/" + rb"simple|index-" + rb"url")
MACHINE_PATH = re.compile(rb"(?<![\w.~:/-])/(?:" + rb"work|root|home/\w+|Users/\w+)" + rb"/[\w.]")
TRAINING_ONLY = re.compile(r"torch|ultralytics|nvidia|triton|onnx$|opencv-python$")


def committed() -> list[Path]:
    """The files that git holds or is about to."""
    if not (ROOT / ".git").exists() or shutil.which("git") is None:
        pytest.skip("not a git clone")
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True).stdout
    paths = [ROOT / name for name in listed.decode().split("\0") if name]
    return [path for path in paths if path.is_file()]


def hits(pattern: re.Pattern[bytes]) -> list[str]:
    return [str(path.relative_to(ROOT)) for path in committed() if pattern.search(path.read_bytes())]


def test_no_file_names_a_package_registry() -> None:
    assert REGISTRY.search(b"--extra-index-" + b"url https://x.example")
    assert hits(REGISTRY) == []


def test_no_file_names_a_path_of_one_machine() -> None:
    assert MACHINE_PATH.search(b"open('/" + b"home/ann/blitzref/a.jpg')")
    assert not MACHINE_PATH.search(b"runs/home/finder and https://x.example/home/ann/")
    assert hits(MACHINE_PATH) == []


def test_no_file_is_too_large_to_clone_with_ease() -> None:
    large = [path.name for path in committed() if path.stat().st_size > LARGEST_BYTES]
    assert large == []


def pins(name: str) -> dict[str, str]:
    """Distribution -> exact version, of a constraints file; every line must be an exact pin or a comment."""
    found = {}
    for line in (ROOT / name).read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            matched = re.fullmatch(r"([a-z0-9-]+)==([\w.]+)", line)
            assert matched, f"{name}: not an exact pin: {line}"
            found[matched[1]] = matched[2]
    return found


def requirements(extra: str | None = None) -> list[Requirement]:
    project = PROJECT["project"]
    lines = project["optional-dependencies"][extra] if extra else project["dependencies"]
    return [Requirement(line) for line in lines]


def with_all_they_need(wanted: Iterable[Requirement]) -> set[str]:
    """The names of all that an installation of `wanted` brings here; what is not installed ends a branch."""
    found: dict[str, set[str]] = {}
    waiting = list(wanted)
    while waiting:
        one = waiting.pop()
        name = canonicalize_name(one.name)
        if name in found and one.extras <= found[name]:
            continue
        found.setdefault(name, set()).update(one.extras)
        try:
            needed = metadata.requires(name) or []
        except metadata.PackageNotFoundError:
            continue
        for further in map(Requirement, needed):
            marker = further.marker
            if marker is None or any(marker.evaluate({"extra": extra}) for extra in {"", *one.extras}):
                waiting.append(further)
    return set(found)


def test_the_program_runs_without_the_training_libraries() -> None:
    assert not [name for name in with_all_they_need(requirements()) if TRAINING_ONLY.match(name)]
    assert not [name for name in pins("constraints.txt") if TRAINING_ONLY.match(name)]


@pytest.mark.parametrize("extra", [None, "dev", "club"])
def test_everything_installed_has_an_exact_version(extra: str | None) -> None:
    assert with_all_they_need(requirements(extra)) - set(pins("constraints.txt")) == set()


@pytest.mark.parametrize("extra", [None, "dev", "audio", "club", "train"])
def test_the_pinned_versions_are_admitted(extra: str | None) -> None:
    pinned = pins("constraints.txt") | pins("constraints-train.txt")
    for one in requirements(extra):
        assert one.specifier.contains(pinned[canonicalize_name(one.name)]), one


def test_no_version_is_pinned_twice() -> None:
    assert pins("constraints.txt").keys() & pins("constraints-train.txt").keys() == set()


def test_the_console_script_can_be_called() -> None:
    module, name = PROJECT["project"]["scripts"]["blitzref"].split(":")
    assert callable(getattr(importlib.import_module(module), name))


def test_every_room_is_in_the_wheel() -> None:
    rooms = {path.parent.name for path in ROOT.glob("*/__init__.py")} - {"tests"}
    assert rooms == set(PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"])


def test_the_licence_is_the_one_named() -> None:
    assert PROJECT["project"]["license"] == "AGPL-3.0-or-later"
    text = (ROOT / "LICENSE").read_text(encoding="utf-8")
    assert "GNU AFFERO GENERAL PUBLIC LICENSE" in text and "Version 3, 19 November 2007" in text


def test_the_models_are_those_of_the_manifest() -> None:
    manifest = MODELS / "manifest.json"
    networks = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in MODELS.glob("*.onnx")}
    if not networks and not manifest.exists():
        pytest.skip("no trained models yet")
    listed = json.loads(manifest.read_text(encoding="utf-8"))
    assert {name: sha256 for name, sha256 in listed.items() if name.endswith(".onnx")} == networks


def test_readme_names_only_what_is_there() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    targets = re.findall(r"\]\(([^)#:]+)\)", text)
    assert targets and [target for target in targets if not (ROOT / target).exists()] == []


def refused(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """The sentence with which `run.py words` refuses; the exit status must be 2."""
    monkeypatch.setattr(sys, "argv", ["run.py", *words])
    with pytest.raises(SystemExit) as stopped:
        run.main()
    assert stopped.value.code == 2
    return capsys.readouterr().err


def test_run_names_the_python_that_it_needs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 9, 2))
    assert refused(monkeypatch, capsys, "demo") == "blitzref needs Python 3.11 or newer, and this is 3.9.\n"


def test_run_leaves_a_folder_alone_that_it_did_not_make(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "letter.txt").touch()
    sentence = refused(monkeypatch, capsys, "test", "--venv", str(tmp_path))
    assert sentence.count("\n") == 1 and str(tmp_path) in sentence and "--venv" in sentence
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]


def test_run_says_what_to_install_where_venv_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(run, "_may_use_apt", lambda: False)
    monkeypatch.setattr(run.importlib.util, "find_spec", lambda name: None)
    monkeypatch.setattr(run.shutil, "which", lambda name: "/usr/bin/apt-get")
    sentence = refused(monkeypatch, capsys, "demo", "--venv", str(tmp_path / "new"))
    assert "sudo apt-get install python3." in sentence and "-venv" in sentence
    assert not (tmp_path / "new").exists()


def test_run_sets_up_once_and_again_when_the_versions_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed: list[list[str]] = []

    def make(venv: Path, place: str) -> None:
        python = run.python_of(venv)
        python.parent.mkdir(parents=True)
        python.touch()

    monkeypatch.setattr(run, "_make_environment", make)
    monkeypatch.setattr(run, "_install", lambda venv, extras: installed.append(extras))
    venv = tmp_path / "new"
    assert run.set_up(venv, "demo")
    assert not run.set_up(venv, "demo")
    assert run.set_up(venv, "test")
    assert not run.set_up(venv, "demo") and not run.set_up(venv, "test")
    monkeypatch.setattr(run, "_digest", lambda: "other versions")
    assert run.set_up(venv, "demo")
    assert installed == [[], ["dev"], ["dev"]]

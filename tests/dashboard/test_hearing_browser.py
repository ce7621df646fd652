"""A word is taught through the recorder of the page in a real browser, whose microphone hears speech."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from datasets.noises import at_snr, room_tone
from datasets.sound import write_sound
from datasets.speech import RATE_HZ, call, level, loud_rms, voices
from engine.joining import network_address
from engine.words import HouseholdWords, open_hearing
from hearing.listener import Listener
from hearing.spotter import Role
from tests.dashboard.server import PATIENCE_S, running

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine"),
    pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="espeak-ng is missing"),
]
TAUGHT = "tests.dashboard.fakes:taught_parts"
CODE = "K7M-2QX"
WORD, PERSON = "hoorah", "Ann"
BEFORE_S, AFTER_S = 1.0, 1.5
"""Silence around the word."""


def spoken(seed: int) -> np.ndarray:
    """The word, said once in a quiet room: float32 (samples,) at 16 kHz."""
    rng = np.random.default_rng(seed)
    said = level(call(WORD, voices("test")[3], rng), 0.1)
    sound = np.pad(said, (int(BEFORE_S * RATE_HZ), int(AFTER_S * RATE_HZ)))
    return sound + at_snr(loud_rms(said), room_tone(len(sound), rng), 35.0)


@pytest.fixture
def page(tmp_path: Path) -> Iterator[Any]:
    """A tab whose microphone hears the word once each time it is opened, and then nothing."""
    sync_api = pytest.importorskip("playwright.sync_api")
    write_sound(tmp_path / "said.wav", spoken(1))
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM,
            args=[
                "--no-sandbox",
                "--disable-gpu",
                "--disable-background-networking",
                "--use-fake-ui-for-media-stream",
                "--use-fake-device-for-media-stream",
                f"--use-file-for-fake-audio-capture={tmp_path / 'said.wav'}%noloop",
            ],
        )
        tab = browser.new_page(viewport={"width": 1440, "height": 900}, permissions=["microphone"])
        tab.set_default_timeout(PATIENCE_S * 1000)
        yield tab
        browser.close()


def record_once(page: Any, times: int) -> None:
    """Record until the word is over; it is the one that makes it `times`."""
    recorder = page.get_by_test_id("stAudioInput")
    recorder.get_by_role("button", name="Record").click()
    recorder.get_by_text("00:03").wait_for()
    recorder.get_by_role("button", name="Stop recording").click()
    said = "Recorded 5 times: enough." if times == 5 else f"Recorded {times} of 5 times."
    page.get_by_text(said).wait_for()


def test_a_word_recorded_five_times_in_the_page_is_learnt_heard_and_forgotten(
    page: Any, tmp_path: Path
) -> None:
    shots = Path(os.environ.get("BLITZREF_SHOTS", tmp_path))
    with running(tmp_path, factory=TAUGHT) as server:
        page.goto(f"http://127.0.0.1:{server.port}/setup", wait_until="domcontentloaded")
        page.get_by_text("Calls by voice").click()
        page.get_by_text("No word is taught yet.").wait_for()
        page.get_by_label("Word").fill(WORD)
        page.get_by_label("Who says it").fill(PERSON)
        page.get_by_label("Who says it").press("Enter")
        for times in range(1, 6):
            record_once(page, times)
        page.screenshot(path=str(shots / "calls-recorded.png"), full_page=True)
        page.get_by_role("button", name="Learn this word").click()
        page.get_by_text(f"{WORD}, said by {PERSON}, ends the round").wait_for()
        page.screenshot(path=str(shots / "calls-learnt.png"), full_page=True)

        hearing = open_hearing()
        spotters = HouseholdWords(tmp_path / "data" / "household", hearing).spotters()
        assert [(one.word, one.person, one.role) for one in spotters] == [(WORD, PERSON, Role.CALL)]
        listener = Listener(spotters, hearing.embed, hearing.background)
        said = spoken(2)
        heard = [*listener.push(said, len(said) / RATE_HZ), *listener.finish()]
        assert [one.word for one in heard] == [WORD]
        assert heard[0].onset_s == pytest.approx(BEFORE_S, abs=0.25)

        page.get_by_role("button", name="Forget it").click()
        page.get_by_text("No word is taught yet.").wait_for()
        assert HouseholdWords(tmp_path / "data" / "household", hearing).spotters() == ()


def test_over_the_network_the_page_asks_for_a_file_instead_of_a_recording(page: Any, tmp_path: Path) -> None:
    lan = network_address()
    if lan is None:
        pytest.skip("this machine is in no network, so no phone can join")
    with running(tmp_path, factory=TAUGHT, join=CODE) as server:
        page.goto(f"http://{lan}:{server.port}/setup", wait_until="domcontentloaded")
        page.get_by_label("Join code").fill(CODE)
        page.get_by_role("button", name="Join").click()
        page.get_by_text("Calls by voice").click()
        page.get_by_text("give the sound file").wait_for()
        assert page.get_by_test_id("stAudioInput").count() == 0
        assert page.get_by_text("If it was refused").count() == 0
        # What a phone's own recorder wrote is as good.
        page.locator("input[type=file][accept*='.wav']").set_input_files(tmp_path / "said.wav")
        page.get_by_text("Recorded 1 of 5 times.").wait_for()

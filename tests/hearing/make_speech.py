"""Makes the small set of speech in tests/data/speech anew: `python -m tests.hearing.make_speech`.

Needs espeak-ng and flite. The voices are among those that no network was taught with.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from datasets.noises import at_snr, reverberated, room_tone
from datasets.sound import Spoken, scene, write_sound
from datasets.speech import RATE_HZ, call, level, loud_rms, voices

FOLDER = Path(__file__).resolve().parent.parent / "data" / "speech"
ONSETS_S = (3.0, 8.0, 13.0, 18.0)
"""When the word is called in `called-*.ogg`, 10 dB over talk and cards."""
WORDS = ("blitz", "banana")
"""One that the network knows, and one that it was never taught."""
VOICES = (3, 14)


def make() -> None:
    """Write all files."""
    speakers = voices("test")
    for number, word in enumerate(WORDS):
        rng = np.random.default_rng((2026, number))
        voice = speakers[VOICES[number]]
        pause = np.zeros(RATE_HZ, np.float32)
        parts = [pause]
        for _ in range(5):
            parts += [level(call(word, voice, rng), 0.1), pause]
        taught = reverberated(np.concatenate(parts), rng)
        taught = taught + at_snr(loud_rms(taught), room_tone(len(taught), rng), 25.0)
        write_sound(FOLDER / f"taught-{word}.ogg", taught)
        spoken = [Spoken(at_s, word, voice) for at_s in ONSETS_S]
        others = [one for one in speakers if one is not voice][:: 4 + number]
        write_sound(FOLDER / f"called-{word}.ogg", scene(22.0, spoken, rng, talkers=others, snr_db=10.0))
    rng = np.random.default_rng(2027)
    write_sound(FOLDER / "talk.ogg", scene(60.0, [], rng, talkers=speakers[::3]))


if __name__ == "__main__":
    make()

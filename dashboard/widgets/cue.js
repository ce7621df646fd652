// A short sound when something happens: never for what had happened before the page was opened.
const TONES = {
  start: [[523, 0.12], [784, 0.22]],
  stop: [[784, 0.14], [523, 0.3]],
  call: [[659, 0.1], [880, 0.1], [1175, 0.3]],
  foul: [[330, 0.2], [262, 0.35]],
  score: [[523, 0.1], [659, 0.1], [784, 0.1], [1047, 0.3]],
};
const MUTED = "blitzref-muted";

function play(tones) {
  const Context = window.AudioContext || window.webkitAudioContext;
  if (!Context) return;
  const context = new Context();
  let at = context.currentTime + 0.02;
  for (const [pitch, length] of tones) {
    const tone = context.createOscillator();
    const volume = context.createGain();
    tone.type = "triangle";
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0.0001, at);
    volume.gain.exponentialRampToValueAtTime(0.25, at + 0.02);
    volume.gain.exponentialRampToValueAtTime(0.0001, at + length);
    tone.connect(volume).connect(context.destination);
    tone.start(at);
    tone.stop(at + length);
    at += length;
  }
  setTimeout(() => context.close(), (at - context.currentTime + 0.3) * 1000);
}

export default function ({ data, parentElement }) {
  const button = parentElement.querySelector("button");
  const isMuted = () => window.localStorage.getItem(MUTED) === "yes";
  const label = () => {
    button.textContent = isMuted() ? data.off : data.on;
    button.setAttribute("aria-pressed", String(!isMuted()));
  };
  button.onclick = () => {
    window.localStorage.setItem(MUTED, isMuted() ? "no" : "yes");
    label();
    if (!isMuted()) play(TONES.start);
  };
  label();
  const heard = window.blitzrefHeard;
  window.blitzrefHeard = data.id;
  if (heard !== undefined && heard !== data.id && !isMuted() && TONES[data.cue]) play(TONES[data.cue]);
}

/** Two soft notes, without a file. */

let context: AudioContext | null = null;

/** Browsers allow sound only after a touch or a key press, so sound is prepared then. */
function ready(): AudioContext {
  context ??= new AudioContext();
  if (context.state === "suspended") void context.resume();
  return context;
}

/** Prepares sound at the first touch or key press. */
export function readySound(): void {
  for (const event of ["pointerdown", "keydown"])
    addEventListener(event, () => void ready(), { once: true });
}

export function chime(): void {
  const audio = ready();
  for (const [start, pitch] of [
    [0, 523],
    [0.16, 659],
  ] as const) {
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    const begin = audio.currentTime + start;
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0.08, begin);
    volume.gain.exponentialRampToValueAtTime(0.001, begin + 0.3);
    tone.connect(volume).connect(audio.destination);
    tone.start(begin);
    tone.stop(begin + 0.3);
  }
}

// Pacing, so that a page stays responsive: long work pauses at intervals, reports its progress, and
// can be stopped.

/** Milliseconds of work between two pauses: two frames. */
const WORK = 30;

export class Pace {
  private since = performance.now();
  private readonly onRest: () => void;
  private readonly signal: AbortSignal | undefined;

  constructor(onRest: () => void, signal: AbortSignal | undefined) {
    this.onRest = onRest;
    this.signal = signal;
  }

  get due(): boolean {
    return performance.now() - this.since > WORK;
  }

  /** Throws the reason of the signal, if it was stopped. */
  async rest(): Promise<void> {
    this.signal?.throwIfAborted();
    this.onRest();
    await new Promise((resolve) => setTimeout(resolve));
    this.since = performance.now();
  }

  /** Runs a generator, which yields after each small step, to its end. */
  async run<T>(steps: Generator<void, T>): Promise<T> {
    for (;;) {
      const { done, value } = steps.next();
      if (done) return value;
      if (this.due) await this.rest();
    }
  }
}

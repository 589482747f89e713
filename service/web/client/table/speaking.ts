/**
 * What a screen reader is told of a table, and in which order: at most one sentence in two seconds,
 * because nobody can listen faster. What is urgent comes first, then the question to the player,
 * then what happened: of many events the latest, and how many more there were.
 */

/** The least time between two sentences. */
export const APART_MS = 2000;
/** Number of events that may wait to be told. */
const LATEST = 3;
/** Number of effects that the sentence of an event has. */
const EFFECTS = 3;

/** The words of the sentences that count what is left out. */
export interface CountWords {
  andMoreEffects(count: number): string;
  moreEvents(count: number): string;
}

export class Speaking {
  readonly #words: () => CountWords;
  #urgent: string[] = [];
  #question: string | null = null;
  #events: string[] = [];
  #leftOut = 0;
  #others: string | null = null;
  #toldOthers: string | null = null;

  constructor(words: () => CountWords) {
    this.#words = words;
  }

  get isDone(): boolean {
    return (
      this.#urgent.length === 0 &&
      this.#question === null &&
      this.#events.length === 0 &&
      this.#leftOut === 0 &&
      this.#others === null
    );
  }

  /** Somebody's time is over, the game is over, and the like. */
  warn(text: string): void {
    this.#urgent.push(text);
  }

  /** What the player is asked, and what others are; of both only the latest counts. */
  ask(question: string | null, others: string | null): void {
    this.#question = question;
    this.#others = others === this.#toldOthers ? null : others;
  }

  /** An event happened. */
  tell(effects: readonly string[]): void {
    if (effects.length === 0) return;
    const said = effects.slice(0, EFFECTS);
    const more = effects.length - said.length;
    if (more > 0) said.push(this.#words().andMoreEffects(more));
    this.#events.push(said.join("; "));
    while (this.#events.length > LATEST) {
      this.#events.shift();
      this.#leftOut += 1;
    }
  }

  /** The player looks at another moment: what has not been told of this one does not matter. */
  leave(): void {
    this.#events = [];
    this.#leftOut = 0;
  }

  /** The sentence to say now; null if there is none. */
  next(): string | null {
    const text = this.#take();
    return text === null || /[.!?…]$/.test(text) ? text : `${text}.`;
  }

  #take(): string | null {
    const urgent = this.#urgent.shift();
    if (urgent !== undefined) return urgent;
    if (this.#question !== null) {
      const question = this.#question;
      this.#question = this.#toldOthers = null;
      return question;
    }
    const event = this.#events.shift();
    if (event !== undefined) return event;
    if (this.#leftOut > 0) {
      const count = this.#leftOut;
      this.#leftOut = 0;
      return this.#words().moreEvents(count);
    }
    this.#toldOthers = this.#others ?? this.#toldOthers;
    const others = this.#others;
    this.#others = null;
    return others;
  }
}

/**
 * The base class of the kit's elements: it has a shadow root with the kit's style sheet, takes
 * language and theme from the page around it, and follows its width.
 */

import { batch, signal } from "@preact/signals";
import { type ComponentChildren, render } from "preact";
import { Unreached } from "../api/client.ts";
import { Refusal, sentence } from "../api/problem.ts";
import { Patterns } from "../board/shapes.tsx";
import { adopt } from "../board/sheets.ts";
import "../board/copies.ts";
import { usePlayWords } from "../play/words.ts";
import { type Language, spoken, Tongue } from "../words/languages.ts";
import style from "./embed.css";

export type Theme = "light" | "dark" | "contrast";
const THEMES: readonly string[] = ["light", "dark", "contrast"];

/**
 * An element that is not wider than this many pixels, which is the width of an upright phone, has
 * its narrow layout.
 */
const NARROW = 640;

/**
 * On a server that renders pages there is no `HTMLElement`, so the base is an empty class there.
 */
const Base = globalThis.HTMLElement ?? (class {} as typeof HTMLElement);

export abstract class Embedded extends Base {
  protected readonly language = signal<Language>("en");
  protected readonly theme = signal<Theme>("light");
  protected readonly narrow = signal(false);
  protected readonly still = signal(false);
  /** The error because of which the element shows nothing, if there is one. */
  protected readonly wrong = signal<unknown>(null);
  readonly #frame: HTMLElement;
  readonly #sizes: ResizeObserver;
  #asked = false;
  #left = new AbortController();
  #stop = new AbortController();

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open" });
    adopt(root, style);
    this.#frame = document.createElement("div");
    this.#frame.className = "lonja";
    root.append(this.#frame);
    this.#sizes = new ResizeObserver(([entry]) => {
      if (entry) this.narrow.value = entry.contentRect.width < NARROW;
    });
  }

  connectedCallback(): void {
    this.#left = new AbortController();
    const { signal: left } = this.#left;
    for (const query of Object.values(MEDIA))
      matchMedia(query).addEventListener("change", () => this.#look(), { signal: left });
    this.narrow.value = this.clientWidth < NARROW;
    this.#sizes.observe(this);
    this.#look();
    render(<Shown of={this} />, this.#frame);
    this.changed();
  }

  disconnectedCallback(): void {
    this.#left.abort();
    this.#sizes.disconnect();
    this.#end();
    render(null, this.#frame);
  }

  attributeChangedCallback(name: string, before: string | null, now: string | null): void {
    if (before === now || !this.isConnected) return;
    this.#look();
    if (name !== "theme") this.changed();
  }

  /** Starts again in the next microtask, with all changes that were made until then. */
  protected changed(): void {
    if (this.#asked) return;
    this.#asked = true;
    void scripted().then(() => {
      this.#asked = false;
      if (!this.isConnected) return;
      this.#end();
      this.wrong.value = null;
      const { signal: stop } = this.#stop;
      this.open(stop).catch((error: unknown) => {
        if (!stop.aborted) this.fail(error);
      });
    });
  }

  #end(): void {
    this.#stop.abort();
    this.#stop = new AbortController();
    this.close();
  }

  /** Reads what the attributes name, and keeps it up to date until `stop` is aborted. */
  protected abstract open(stop: AbortSignal): Promise<void>;
  /** Stop following. */
  protected abstract close(): void;
  /** The content, unless there is an error. */
  abstract draw(): ComponentChildren;

  /** Shows what went wrong, and tells the page. */
  protected fail(error: unknown): void {
    this.wrong.value = error;
    this.tellError(error);
  }

  /** Tells the page what went wrong, with the event `error`. */
  protected tellError(error: unknown): void {
    const problem = error instanceof Refusal ? error.problem : null;
    this.tell("error", { code: problem?.code ?? "failed", message: sentence(error), problem });
  }

  protected tell(type: string, detail: unknown): void {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }

  /** Draws the element. Only the kit calls this. */
  shown(): ComponentChildren {
    const wrong = this.wrong.value;
    return (
      <Tongue.Provider value={this.language.value}>
        {wrong === null ? this.draw() : <Failed error={wrong} again={() => this.changed()} />}
        <Patterns />
      </Tongue.Provider>
    );
  }

  #look(): void {
    const wished = this.getAttribute("theme") ?? "";
    const system = holds("contrast") ? "contrast" : holds("dark") ? "dark" : "light";
    const tag = this.closest<HTMLElement>("[lang]")?.lang;
    batch(() => {
      this.theme.value = (THEMES.includes(wished) ? wished : system) as Theme;
      this.still.value = holds("still");
      this.language.value = spoken(tag ? [tag] : navigator.languages);
    });
    this.#frame.dataset.theme = this.theme.value;
    this.#frame.lang = this.language.value;
  }
}

/**
 * Waits until the page's first scripts have run: they may set keys, and no request should be sent
 * before.
 */
async function scripted(): Promise<void> {
  const [loaded] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  if (loaded?.domContentLoadedEventStart === 0)
    await new Promise((resolve) => addEventListener("DOMContentLoaded", resolve, { once: true }));
}

const MEDIA = {
  dark: "(prefers-color-scheme: dark)",
  contrast: "(prefers-contrast: more)",
  still: "(prefers-reduced-motion: reduce)",
};

function holds(query: keyof typeof MEDIA): boolean {
  return matchMedia(MEDIA[query]).matches;
}

/**
 * This is a component, so that a change of a signal that it has read draws the element again.
 */
function Shown({ of: element }: { of: Embedded }) {
  return <>{element.shown()}</>;
}

export function Failed({ error, again }: { error: unknown; again?: () => void }) {
  const words = usePlayWords();
  return (
    <div class="failed" role="alert">
      <p>{error instanceof Unreached ? words.unreached : sentence(error)}</p>
      {again && (
        <button type="button" onClick={again}>
          {words.retry}
        </button>
      )}
    </div>
  );
}

/** `<lonja-board ruleset="macao" state="{…}">`: a position as a picture. */

import { signal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { laidOut, sceneOf, type View } from "../board/scene.ts";
import { BoardView } from "../board/view.tsx";
import { useBoardWords } from "../board/words.ts";
import { useLanguage } from "../words/languages.ts";
import { carried, type Drawable, rulesetsOf } from "./carried.ts";
import { Embedded } from "./embedded.tsx";
import { serviceAt } from "./foreign.ts";

interface Position {
  readonly drawable: Drawable;
  readonly view: View;
  readonly seat: number | null;
}

export class LonjaBoard extends Embedded {
  static readonly observedAttributes = ["ruleset", "state", "service", "renderer", "lang", "theme"];

  readonly #position = signal<Position | null>(null);
  readonly #names = signal<readonly string[]>([]);
  #given: object | null = null;

  /** A view, or an answer of the API that contains one; as an attribute, it is JSON. */
  get state(): object | null {
    return this.#given ?? parsed(this.getAttribute("state"));
  }

  set state(state: object | null) {
    this.#given = state;
    if (this.isConnected) this.changed();
  }

  /** The players' names, by seat. */
  get names(): readonly string[] {
    return this.#names.value;
  }

  set names(names: readonly string[]) {
    this.#names.value = names;
  }

  protected async open(stop: AbortSignal): Promise<void> {
    const { state } = this;
    if (state === null) return;
    const answer = state as { state?: View; seat?: number | null };
    const view = (answer.state ?? state) as View;
    const id = this.getAttribute("ruleset") ?? String(view.ruleset);
    const drawable = (await carried(id)) ?? (await this.#asked(id));
    if (!stop.aborted) this.#position.value = { drawable, view, seat: answer.seat ?? null };
  }

  protected close(): void {
    this.#position.value = null;
  }

  /** Thrown for a ruleset whose drawing the kit does not have. */
  async #asked(id: string): Promise<Drawable> {
    const url = this.getAttribute("service");
    if (url === null) throw new Error(`${id} is none of the games that are carried here`);
    const service = serviceAt({ url, language: () => this.language.peek() });
    const runsCode = this.getAttribute("renderer") === "service";
    const { board, ...found } = await rulesetsOf(service, runsCode).read(id);
    if (board === null) throw new Error(`${id} has no board`);
    return { ...found, board };
  }

  override draw() {
    const position = this.#position.value;
    if (position === null) return null;
    return (
      <Still
        {...position}
        names={this.#names.value}
        narrow={this.narrow.value}
        dark={this.theme.value === "dark"}
      />
    );
  }
}

function parsed(text: string | null): object | null {
  return text === null || text.trim() === "" ? null : (JSON.parse(text) as object);
}

function Still({
  drawable,
  view,
  seat,
  names,
  narrow,
  dark,
}: Position & {
  readonly names: readonly string[];
  readonly narrow: boolean;
  readonly dark: boolean;
}) {
  const language = useLanguage();
  const { board } = useBoardWords();
  const scene = useMemo(() => {
    const words = drawable.words[language];
    const layout = laidOut(drawable.renderer, drawable.board, narrow);
    const setting = { ...layout, tables: drawable.tables, words, language, names };
    return sceneOf(setting, view, seat);
  }, [drawable, view, seat, names, narrow, language]);
  return (
    <BoardView scene={scene} renderer={drawable.renderer} dark={dark} glideMs={0} name={board} />
  );
}

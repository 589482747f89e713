// The page that checks a record anywhere: it is one file, which works without a network, even from
// a disk.

import { type Forged, tamper } from "../tamper.ts";
import { type Options, type Report, verify } from "../verify.ts";
import { el, marked } from "./dom.ts";
import { findings, scope, verdict } from "./report.ts";
import { type Language, WORDS } from "./words.ts";

/** The themes that have colours here; else the system decides. */
const THEMES = ["light", "dark", "contrast"];
const KEY = /^[0-9a-f]{64}$/;

/** The reader's choices, and the result. */
interface Checked {
  readonly report: Report;
  readonly took: number;
  readonly forged: Forged | null;
}

/** Whether the page comes from a service; else it is a file on a disk. */
const served = location.protocol.startsWith("http");
const settings = settingsOfBrowser();

let language: Language = settings.language ?? (navigator.language.startsWith("es") ? "es" : "en");
let record: File | null = null;
let receipts: readonly unknown[] = [];
let publicKey = "";
let checked: Checked | null = null;
let running: AbortController | null = null;

const page = document.getElementById("page") as HTMLElement;
const problem = el("p", { class: "failed", role: "alert" });
const outcome = el("div", { id: "outcome" });

function draw(): void {
  const words = WORDS[language];
  document.documentElement.lang = language;
  document.title = `Lonja: ${words.title}`;
  page.replaceChildren(
    ...(served ? [places()] : []),
    el("header", {}, el("h1", {}, words.title), languages()),
    el(
      "main",
      {},
      el("p", {}, marked(words.lead)),
      el("p", { class: "quiet" }, words.privacy),
      chooser(),
      evidence(),
      problem,
      outcome,
    ),
    savable(),
  );
  show();
}

/** Where to go from here at the service that the page comes from. */
function places(): HTMLElement {
  const words = WORDS[language];
  const link = (href: string, text: string) => el("a", { href }, text);
  return el(
    "nav",
    { "aria-label": "Lonja" },
    el("a", { class: "brand", href: "/" }, "Lonja"),
    link("/lobby", words.lobby),
    link("/games", words.games),
    link("/tournaments", words.tournaments),
    link("/docs", words.docs),
  );
}

/** The language and the colours that the reader has chosen at the service; empty on a disk. */
function settingsOfBrowser(): { language?: Language; theme?: string } {
  try {
    const { language, theme } = JSON.parse(localStorage.getItem("lonja:settings") ?? "{}") ?? {};
    return {
      ...(language === "en" || language === "es" ? { language } : {}),
      ...(THEMES.includes(theme) ? { theme } : {}),
    };
  } catch {
    return {};
  }
}

function languages(): HTMLElement {
  const button = (code: Language, name: string) =>
    el(
      "button",
      {
        type: "button",
        lang: code,
        "aria-pressed": String(language === code),
        click: () => {
          language = code;
          draw();
          page.querySelector<HTMLElement>(`button[lang="${code}"]`)?.focus();
        },
      },
      name,
    );
  const group = { class: "row", role: "group", "aria-label": WORDS[language].languages };
  return el("div", group, button("en", "English"), button("es", "Español"));
}

function chooser(): HTMLElement {
  const words = WORDS[language];
  const take = (files: FileList | null | undefined) => {
    record = files?.[0] ?? record;
    again();
  };
  const input = el("input", {
    type: "file",
    id: "record",
    accept: ".ndjson,.gz",
    // Forget the chosen file. Otherwise there is no event when people choose it again, and it may
    // have changed.
    click: (event) => {
      (event.target as HTMLInputElement).value = "";
    },
    change: (event) => take((event.target as HTMLInputElement).files),
  });
  const over = (event: Event, is: boolean) => {
    event.preventDefault();
    zone.classList.toggle("over", is);
  };
  const zone: HTMLElement = el(
    "div",
    {
      class: "drop",
      dragover: (event) => over(event, true),
      dragleave: (event) => over(event, false),
      drop: (event) => {
        over(event, false);
        take((event as DragEvent).dataTransfer?.files);
      },
    },
    el("strong", {}, words.drop),
    el("label", { for: "record" }, `${words.record} `),
    input,
  );
  return zone;
}

/** The fields for receipts and a key: with these, more can be proved than with the record only. */
function evidence(): HTMLElement {
  const words = WORDS[language];
  const kept = el("input", {
    type: "file",
    id: "receipts",
    accept: ".json",
    multiple: true,
    change: async (event) => {
      const files = [...((event.target as HTMLInputElement).files ?? [])];
      receipts = (await Promise.all(files.map(readReceipts))).flat();
      again();
    },
  });
  const key = el("input", {
    type: "text",
    id: "key",
    value: publicKey,
    spellcheck: "false",
    autocomplete: "off",
    change: (event) => {
      publicKey = (event.target as HTMLInputElement).value.trim();
      say(publicKey === "" || KEY.test(publicKey) ? "" : words.keyWrong);
      again();
    },
  });
  const browser = receiptsOfBrowser().length;
  return el(
    "details",
    { open: receipts.length > 0 || publicKey !== "" },
    el("summary", {}, words.more),
    browser > 0 ? el("p", {}, words.browserReceipts(browser)) : null,
    el("label", { class: "field" }, words.receipts, kept),
    el("label", { class: "field" }, words.key, key),
  );
}

/**
 * The newest receipt of each game that was played in this browser; empty if the browser stores
 * nothing.
 */
function receiptsOfBrowser(): readonly unknown[] {
  try {
    return Object.values(JSON.parse(localStorage.getItem("lonja:receipts") ?? "{}") ?? {});
  } catch {
    return []; // the page is a file without storage, or another program wrote the value
  }
}

async function readReceipts(file: File): Promise<readonly unknown[]> {
  try {
    const value: unknown = JSON.parse(await file.text());
    say("");
    return Array.isArray(value) ? value : [value];
  } catch {
    say(`${WORDS[language].receiptWrong} ${file.name}`);
    return [];
  }
}

function say(text: string): void {
  problem.textContent = text;
}

function again(): void {
  if (record !== null) void check(record, null);
}

/** Checks a record, or a forged copy of it, and shows the result. */
async function check(what: Blob, forged: Forged | null): Promise<void> {
  running?.abort();
  const mine = new AbortController();
  running = mine;
  const bar = progressBar(mine);
  const options: Options = {
    receipts,
    otherReceipts: receiptsOfBrowser(),
    signal: mine.signal,
    onProgress: ({ bytes, size, events }) => bar.tell(size === 0 ? 1 : bytes / size, events),
    ...(KEY.test(publicKey) ? { publicKey } : {}),
  };
  const began = performance.now();
  try {
    const report = await verify(what, options);
    checked = { report, took: Math.round(performance.now() - began), forged };
  } catch (error) {
    if (mine.signal.aborted) return;
    throw error;
  } finally {
    if (running === mine) running = null;
  }
  show();
  outcome.querySelector<HTMLElement>("h2")?.focus();
}

function progressBar(stop: AbortController) {
  const words = WORDS[language];
  const bar = el("progress", { max: "1", "aria-label": words.checking });
  const told = el("p", { role: "status" }, words.checking);
  const cancel = () => {
    stop.abort();
    outcome.replaceChildren();
  };
  outcome.replaceChildren(told, bar, el("button", { type: "button", click: cancel }, words.stop));
  return {
    tell(share: number, events: number) {
      // The bar shows the progress of reading and of checking together; both take about the same
      // time.
      bar.value = share * 0.9;
      told.textContent = `${words.checking} ${events} ${words.events}`;
    },
  };
}

function show(): void {
  if (running !== null) return;
  if (checked === null) return outcome.replaceChildren();
  const { report, took, forged } = checked;
  outcome.replaceChildren(
    ...(forged === null ? [] : [forgery(forged)]),
    verdict(report, `${record?.name} · ${took} ms`, language),
    findings(report, language),
    ...(forged !== null || isForgeable(report) ? [forge(forged)] : []),
    scope(report, language),
  );
}

/** Only a record without faults can be forged, because a faulty record has findings already. */
const isForgeable = (report: Report): boolean =>
  report.kind === "game" && (report.verdict === "sound" || report.verdict === "open");

function forgery({ version, path, before, after, record: copy }: Forged): HTMLElement {
  const words = WORDS[language];
  const save = () => {
    const address = URL.createObjectURL(copy);
    el("a", { href: address, download: "forged.ndjson" }).click();
    URL.revokeObjectURL(address);
  };
  return el(
    "div",
    { class: "forged" },
    el("p", {}, words.forged(version, path, before, after)),
    el("button", { type: "button", click: save }, words.keepForged),
  );
}

/** Offers to forge the record, and to undo a forgery. */
function forge(forged: Forged | null): HTMLElement {
  const words = WORDS[language];
  const run = async (rehash: boolean) => {
    if (record === null) return;
    try {
      const made = await tamper(record, { rehash });
      await check(made.record, made);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      say(words.tamperNothing);
    }
  };
  const button = (text: string, click: () => void) => el("button", { type: "button", click }, text);
  return el(
    "section",
    { id: "forge" },
    el("h2", {}, words.tamper),
    el("p", {}, words.tamperLead),
    el(
      "div",
      { class: "row" },
      button(words.tamperValue, () => void run(false)),
      button(words.tamperChain, () => void run(true)),
      forged === null ? null : button(words.original, again),
    ),
  );
}

/** If the page comes from a service, it can be saved; on a disk it is saved already. */
function savable(): HTMLElement {
  const words = WORDS[language];
  const link = el("a", { href: location.pathname, download: "verify.html" }, words.save);
  return el("footer", { class: "quiet" }, ...(served ? [link, ". "] : []), words.saveLead);
}

if (settings.theme !== undefined) document.documentElement.dataset.theme = settings.theme;
draw();

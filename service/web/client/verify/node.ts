// The verifier as a program: `node verify.mjs RECORD…`. Its exit codes are those of `lonja verify`:
// 1 if something is wrong, 2 if the file is not a record or is newer than this program, and 3 if
// nothing is wrong but not all is proved. It never exits with 0, which means that all is proved,
// because it does not know the rules.

import { openAsBlob } from "node:fs";
import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { outcome, place, unopened, VERDICTS } from "./outcome.ts";
import { type Options, type Report, verify } from "./verify.ts";

const USAGE =
  "node verify.mjs RECORD… [--receipt FILE]… [--public-key HEX] [--lang en|es] [--json]";
const MARKS = { failure: "✗", unreadable: "✗", newer: "!", open: "?", note: "·" } as const;

/**
 * The exit code by verdict. If there are several records, the verdict that comes first in this list
 * decides.
 */
const EXITS = { failed: 1, unreadable: 2, newer: 2, not_wholly_proved: 3 } as const;
const NOT_ASKED = 2;

type Language = "en" | "es";

const WORDS = {
  en: {
    sound: "Nothing is wrong with what can be checked without the rules. NOT judged: legality.",
    newer:
      "This record is newer than this program, which finds nothing wrong with what it knows of it; the newest one may know the rest.",
    unreadable: "This is no record, or none that can be read here.",
    open: "Nothing is wrong, but this record leaves checks open.",
    failed: "The record is wrong.",
    unchecked: "Not judged here; `lonja verify FILE` does, on a machine that has the rules:",
    more: "findings more",
  },
  es: {
    sound: "No hay nada mal en lo que se puede comprobar sin las reglas. SIN juzgar: la legalidad.",
    newer:
      "Este registro es más nuevo que este programa, que no encuentra nada mal en lo que conoce de él; puede que el más reciente conozca el resto.",
    unreadable: "Esto no es un registro, o no se puede leer aquí.",
    open: "No hay nada mal, pero este registro deja comprobaciones pendientes.",
    failed: "El registro está mal.",
    unchecked: "No se juzga aquí; `lonja verify FILE` sí, en una máquina que tiene las reglas:",
    more: "hallazgos más",
  },
} as const;

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      receipt: { type: "string", multiple: true, default: [] },
      "public-key": { type: "string" },
      lang: { type: "string", default: "en" },
      json: { type: "boolean", default: false },
    },
  });
  const { lang, json, receipt: kept, "public-key": publicKey } = values;
  if (positionals.length === 0 || (lang !== "en" && lang !== "es"))
    throw new Error(`Name a record, and a language that is known: ${USAGE}`);
  if (positionals.length > 1 && kept.length > 0)
    throw new Error("A receipt is of one record: name no other.");
  const receipts = await Promise.all(
    kept.map(async (path) => JSON.parse(await readFile(path, "utf8"))),
  );
  const options: Options = { receipts, ...(publicKey === undefined ? {} : { publicKey }) };
  const verdicts = new Set<keyof typeof EXITS>();
  for (const file of positionals) {
    const record = await opened(file);
    if (typeof record === "string") {
      const why = `${file} cannot be read: ${record}`;
      if (json) console.log(JSON.stringify(unopened(file, why)));
      else console.error(why);
      verdicts.add("unreadable");
      continue;
    }
    const report = await verify(record, options);
    verdicts.add(VERDICTS[report.verdict]);
    console.log(
      json ? JSON.stringify(outcome(file, report, options)) : inWords(file, report, lang),
    );
  }
  for (const [verdict, code] of Object.entries(EXITS))
    if (verdicts.has(verdict as keyof typeof EXITS)) return code;
  return NOT_ASKED;
}

/** Returns a file to read, or the reason why it cannot be read. */
async function opened(file: string): Promise<Blob | string> {
  try {
    const record = await openAsBlob(file);
    // This throws for a folder, which can be opened, but not read.
    await record.slice(0, 1).arrayBuffer();
    return record;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function inWords(file: string, report: Report, lang: Language): string {
  const words = WORDS[lang];
  const counts = Object.entries(report.counts).filter(([, count]) => count > 0);
  return [
    `${file}: ${words[report.verdict]}`,
    ...report.findings.map(
      (finding) => `${MARKS[finding.severity]} ${place(finding)}${finding[lang]}`,
    ),
    ...(report.dropped > 0 ? [`… ${report.dropped} ${words.more}`] : []),
    counts.map(([name, count]) => `${name}: ${count}`).join(", "),
    words.unchecked,
    ...report.unchecked.map((one) => `  ${one[lang]}`),
  ].join("\n");
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = NOT_ASKED;
}

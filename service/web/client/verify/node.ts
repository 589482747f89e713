// The verifier as a program: `node verify.mjs RECORD…`. It exits as `lonja verify` does: with 0 if all
// that it checks is right, 1 if something is wrong, 2 if there is no record, and 3 if the record
// leaves checks open.

import { openAsBlob } from "node:fs";
import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import type { Finding } from "./findings.ts";
import { type Options, type Report, verify } from "./verify.ts";

const USAGE =
  "node verify.mjs RECORD… [--receipt FILE]… [--public-key HEX] [--lang en|es] [--json]";
const MARKS = { failure: "✗", open: "?", note: "·" } as const;

const EXITS = { sound: 0, failed: 1, open: 3 } as const;
const NO_RECORD = 2;
/** What several records come to: the first of these that one of them has. */
const WORST: readonly number[] = [EXITS.failed, NO_RECORD, EXITS.open];

type Language = "en" | "es";

const WORDS = {
  en: {
    sound: "Nothing is wrong with what can be checked without the rules.",
    open: "Nothing is wrong, but this record leaves checks open.",
    failed: "The record is wrong.",
    unchecked: "Not judged here; `lonja verify` does:",
    more: "findings more",
  },
  es: {
    sound: "No hay nada mal en lo que se puede comprobar sin las reglas.",
    open: "No hay nada mal, pero este registro deja comprobaciones pendientes.",
    failed: "El registro está mal.",
    unchecked: "No se juzga aquí; `lonja verify` sí:",
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
  const codes: number[] = [];
  for (const file of positionals) {
    const report = await verify(await openAsBlob(file), options);
    console.log(json ? JSON.stringify({ file, ...report }) : inWords(file, report, lang));
    codes.push(report.kind === null ? NO_RECORD : EXITS[report.verdict]);
  }
  return WORST.find((code) => codes.includes(code)) ?? EXITS.sound;
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

function place({ id, version, line }: Finding): string {
  const where = version !== null ? `v${version}` : line !== null ? `line ${line}` : "";
  return where === "" ? "" : `${id ?? ""} ${where}: `.trimStart();
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = NO_RECORD;
}

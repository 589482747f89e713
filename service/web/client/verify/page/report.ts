// The report for people: the verdict, the findings, what was checked and what was not.

import type { Finding } from "../findings.ts";
import type { Report } from "../verify.ts";
import { el, marked } from "./dom.ts";
import { type Language, WORDS } from "./words.ts";

const MARKS = { sound: "✓", open: "?", newer: "!", unreadable: "✗", failed: "✗" } as const;
const SEVERITIES = ["failure", "unreadable", "newer", "open", "note"] as const;
const LOOKS = {
  failure: "failed",
  unreadable: "failed",
  newer: "open",
  open: "open",
  note: "quiet",
} as const;
const SIGNS = { failure: "✗", unreadable: "✗", newer: "!", open: "?", note: "·" } as const;

/** Whether it has to be said that no witness saw a record in which nothing wrong was found. */
export const isUnwitnessed = ({ verdict, findings }: Report) =>
  (verdict === "sound" || verdict === "open") &&
  !findings.some(({ code }) => code.startsWith("proof_"));

export function verdict(report: Report, about: string, language: Language): HTMLElement {
  const words = WORDS[language];
  const [head, more] = words.verdicts[report.verdict];
  const what = report.kind === null ? null : `${words[report.kind]} ${report.id}`;
  return el(
    "div",
    { class: `verdict ${report.verdict}`, "data-verdict": report.verdict },
    el("span", { "aria-hidden": "true" }, MARKS[report.verdict]),
    el(
      "div",
      {},
      el("h2", { tabindex: "-1" }, head),
      el("p", {}, marked(more)),
      isUnwitnessed(report) ? el("p", {}, words.unwitnessed) : null,
      el("p", { class: "quiet" }, [what, about].filter(Boolean).join(" · ")),
    ),
  );
}

/** How much was checked, and what was not. */
export function scope(report: Report, language: Language): HTMLElement {
  const words = WORDS[language];
  return el(
    "section",
    {},
    el("h2", {}, words.counted),
    counts(report, language),
    el("h2", {}, words.unchecked),
    el("p", {}, marked(words.uncheckedLead)),
    el("ul", {}, ...report.unchecked.map((one) => el("li", {}, one[language]))),
    el("h2", {}, words.never),
    el("p", {}, words.neverWhat),
  );
}

export function findings(report: Report, language: Language): HTMLElement | string {
  const words = WORDS[language];
  if (report.findings.length === 0) return "";
  const sorted = SEVERITIES.flatMap((severity) =>
    report.findings.filter((finding) => finding.severity === severity),
  );
  const more = report.dropped > 0 ? el("p", {}, words.dropped(report.dropped)) : null;
  const items = sorted.map((one) => finding(one, language));
  const list = el("ul", { class: "findings" }, ...items);
  return el("section", {}, el("h2", {}, words.findings), list, more);
}

function finding(found: Finding, language: Language): HTMLElement {
  const words = WORDS[language];
  const { severity, version, line, code } = found;
  const place =
    version !== null ? `${words.event} ${version}` : line !== null ? `${words.line} ${line}` : null;
  return el(
    "li",
    { "data-code": code },
    el("span", { class: `mark ${LOOKS[severity]}`, "aria-hidden": "true" }, SIGNS[severity]),
    el(
      "span",
      {},
      el("strong", {}, [words.severities[severity], place].filter(Boolean).join(" · ")),
      ": ",
      marked(found[language]),
      " ",
      el("code", { class: "quiet" }, code),
    ),
  );
}

function counts(report: Report, language: Language): HTMLElement {
  const names = WORDS[language].counts;
  const numbers = new Intl.NumberFormat(language);
  const items = Object.entries(report.counts)
    .filter(([name, count]) => count > (name === "games" ? 1 : 0))
    .map(([name, count]) =>
      el(
        "div",
        { "data-count": name },
        el("dt", {}, names[name as keyof typeof names]),
        el("dd", {}, numbers.format(count)),
      ),
    );
  return el("dl", { class: "counts" }, ...items);
}

/** The panel with the result of a check: first what was not checked, then the findings. */

import { useEffect, useRef, useState } from "preact/hooks";
import { adopt } from "../board/sheets.ts";
import { language } from "../browser/language.ts";
import { receipts } from "../identity/receipts.ts";
import { CopyableCode, Failed } from "../parts/parts.tsx";
import { Folded } from "../play/folded.tsx";
import style from "../style/checking.css" with { type: "text" };
import type { Finding } from "../verify/findings.ts";
import { isUnwitnessed } from "../verify/page/report.ts";
import { WORDS } from "../verify/page/words.ts";
import type { Report } from "../verify/verify.ts";
import { Check, type Stage } from "./check.ts";
import type { Kind } from "./fetching.ts";
import { checkWords } from "./words.ts";

adopt(document, style);

/** The record that is checked. */
export interface Checked {
  readonly kind: Kind;
  readonly id: string;
  /** Whether the game or tournament is over. */
  readonly over: boolean;
  /** Whether the table is private, so that only its players and guests may see the game. */
  readonly locked?: boolean;
}

type UnderWayStage = Extract<Stage, { at: "fetching" | "checking" }>;

const MARKS: Readonly<Record<string, string>> = { sound: "✓", failed: "✗", unreadable: "✗" };
const SIGNS: Readonly<Record<string, string>> = { failure: "✗", unreadable: "✗", note: "·" };
/** The sign of all other verdicts: something was not checked. */
const OPEN = "?";

export function Panel(checked: Checked) {
  const { kind, id } = checked;
  const [check, setCheck] = useState<Check | null>(() => new Check(kind, id));
  useEffect(() => () => check?.stop(), [check]);
  const words = checkWords.value;
  const stage = check?.stage.value;
  const again = () => setCheck(new Check(kind, id));
  const over = stage?.at === "done";
  return (
    <>
      <p class="sr" role="status">
        {stage && (over ? words.ended : words.began)}
      </p>
      {stage && !over && stage.at !== "broken" && (
        <UnderWay stage={stage} stop={() => setCheck(null)} />
      )}
      {stage?.at === "broken" && <Failed error={stage.error} again={again} />}
      {over && <Verdict checked={checked} report={stage.report} />}
      {(over || !stage) && (
        <p class="actions">
          <button type="button" class="plain" onClick={again}>
            {words.again}
          </button>
        </p>
      )}
    </>
  );
}

function UnderWay({ stage, stop }: { stage: UnderWayStage; stop: () => void }) {
  const words = checkWords.value;
  const number = new Intl.NumberFormat(language.value);
  const said =
    stage.at === "fetching"
      ? words.fetching(number.format(Math.round(stage.bytes / 1000)))
      : words.checking(number.format(stage.events));
  const share = stage.at === "checking" ? { value: stage.share } : {};
  return (
    <>
      <p>{said}</p>
      <progress max={1} aria-label={words.began} {...share} />
      <button type="button" class="plain" onClick={stop}>
        {words.stop}
      </button>
    </>
  );
}

function Verdict({ checked, report }: { checked: Checked; report: Report }) {
  const { kind, over, id } = checked;
  const words = checkWords.value;
  const known = WORDS[language.value];
  const ref = useRef<HTMLElement>(null);
  useEffect(() => {
    // If the focused button was removed, the body has focus: then move focus here. Otherwise leave
    // it.
    if (document.activeElement === document.body) ref.current?.focus();
  }, [report]);
  // While the game goes on, a sound record gets the verdict `open`, because it has no end yet.
  const goesOn = !over && (report.verdict === "sound" || report.verdict === "open");
  const verdict = goesOn ? "open" : report.verdict;
  const [knownTitle, knownMeaning] = known.verdicts[verdict];
  const title = goesOn ? words.goesOn[kind] : knownTitle;
  const meaning = goesOn ? words.soFar : (words.meaning[verdict] ?? knownMeaning);
  const fitting = report.findings.filter(({ code }) => code === "receipt_fits").length;
  return (
    <section data-checked={verdict} tabIndex={-1} ref={ref} aria-label={title}>
      <p>{words.notJudged[kind]}</p>
      <CopyableCode text={commandFor(checked)} />
      {checked.locked && <p class="quiet">{words.withKey}</p>}
      <h3>
        <span aria-hidden="true">{MARKS[verdict] ?? OPEN}</span> {title}
      </h3>
      <p>{meaning}</p>
      {isUnwitnessed(report) && <p>{known.unwitnessed}</p>}
      {fitting > 0 && <p>{words.receipts(fitting)}</p>}
      {receipts()[id] === undefined && fitting === 0 && <p class="quiet">{words.noReceipts}</p>}
      <Findings report={report} />
      <Folded summary={known.counted}>{() => <Scope report={report} />}</Folded>
      <p class="quiet">
        {words.link} <a href={`#check`}>{`${location.origin}${pathOf(kind, id)}#check`}</a>
      </p>
    </section>
  );
}

const pathOf = (kind: Kind, id: string) => `/${kind}s/${id}`;

/** The command that checks the rules, too, and so can prove the record. */
function commandFor({ kind, id }: Checked): string {
  const what = kind === "game" ? "export" : "tournament export";
  return `lonja ${what} ${id} --url ${location.origin} --output - | lonja verify -`;
}

function Findings({ report }: { report: Report }) {
  const known = WORDS[language.value];
  const found = report.findings.filter(({ severity }) => severity !== "note");
  const notes = report.findings.filter(({ severity }) => severity === "note");
  return (
    <>
      <List findings={found} />
      {report.dropped > 0 && <p>{known.dropped(report.dropped)}</p>}
      {notes.length > 0 && (
        <Folded summary={known.severities.note}>{() => <List findings={notes} />}</Folded>
      )}
    </>
  );
}

function List({ findings }: { findings: readonly Finding[] }) {
  const known = WORDS[language.value];
  if (findings.length === 0) return null;
  return (
    <ul class="findings">
      {findings.map((finding, at) => (
        <li key={at} data-code={finding.code}>
          <span aria-hidden="true">{SIGNS[finding.severity] ?? OPEN}</span>{" "}
          <strong>
            {known.severities[finding.severity]}
            {finding.version !== null && ` · ${known.event} ${finding.version}`}
          </strong>
          : {finding[language.value]}
        </li>
      ))}
    </ul>
  );
}

/** How much was checked, and what was skipped. */
function Scope({ report }: { report: Report }) {
  const known = WORDS[language.value];
  const number = new Intl.NumberFormat(language.value);
  const counts = Object.entries(report.counts).filter(([, count]) => count > 0);
  return (
    <>
      <ul>
        {counts.map(([name, count]) => (
          <li key={name}>
            {number.format(count)} {known.counts[name as keyof typeof known.counts]}
          </li>
        ))}
      </ul>
      <h4>{known.unchecked}</h4>
      <ul>
        {report.unchecked.map((one) => (
          <li key={one.code}>{one[language.value]}</li>
        ))}
      </ul>
    </>
  );
}

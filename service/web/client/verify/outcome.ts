// The report for programs: one JSON object for each file, with the verdicts and members of
// `lonja verify --json` (docs/verify.schema.json).

import type { Finding } from "./findings.ts";
import { keyId } from "./receipts.ts";
import type { Unchecked } from "./unchecked.ts";
import type { Options, Report } from "./verify.ts";

/** The verdicts of both verifiers. This one never says `proved`, because it knows no rules. */
type Verdict = "failed" | "unreadable" | "newer" | "not_wholly_proved";

export const VERDICTS = {
  failed: "failed",
  unreadable: "unreadable",
  newer: "newer",
  open: "not_wholly_proved",
  sound: "not_wholly_proved",
} as const satisfies Record<Report["verdict"], Verdict>;

interface Check {
  readonly name: string;
  ok: boolean;
  readonly checked: number;
  readonly failures: string[];
  skipped: string;
  not_here: boolean;
}

/** The checks of a game, in the order of docs/format.md, with their counts. */
const OF_GAMES = {
  lines: "events",
  header: "games",
  viewer: "commitments",
  shapes: "events",
  chain: "events",
  batches: "batches",
  parts: "nonces",
  openings: "openings",
  commitments: "entropy",
  chance: "picks",
  table: "events",
  play: "state_proofs",
  receipt: "signatures",
  bots: null,
  signatures: "signed",
} as const;
/** The checks of a tournament's stream that a game has, too. */
const OF_TOURNAMENTS = {
  lines: "events",
  header: "signatures",
  shapes: "events",
  chain: "events",
  batches: "batches",
  parts: "nonces",
  course: "events",
  games: "games",
  receipt: "signatures",
  report: null,
  bots: null,
} as const;
type Name = keyof typeof OF_GAMES | keyof typeof OF_TOURNAMENTS;

/**
 * The check to which a finding belongs, by the beginning of its code; all other findings belong to
 * the course.
 */
const CODES: readonly (readonly [Name, RegExp])[] = [
  ["lines", /^(file|line|json|game_size)/],
  ["viewer", /^part_(missing|leaked)/],
  ["shapes", /^(shape|lines_stop|parts_|first|visibility|scope|chance_kept|sealed|beacon_scope)/],
  ["chain", /^(chain_|expected_head)/],
  ["batches", /^batch_(last|at|cut)/],
  ["parts", /^part_/],
  ["openings", /^opens_/],
  ["commitments", /^(seed_commitment|chance_scope|entropy_commitment|luck_closed|beacon_s[ci])/],
  ["chance", /^(picks|draw_again|no_entropy|seed_given)/],
  ["play", /^(state_proof|data_digest|result_|goes_on|damaged$)/],
  ["header", /^(header|proof_)/],
  ["signatures", /^sign_(move|new_key)$/],
];

export function nameOf(finding: Finding, report: Report): Name {
  const { code, id, line } = finding;
  if (code.startsWith("receipt_") || code.startsWith("key_"))
    return line === null ? "receipt" : "header";
  const ofStream = report.kind === "tournament";
  if (ofStream && id !== report.id) return "games";
  const name = CODES.find(([, pattern]) => pattern.test(code))?.[0] ?? "table";
  return ofStream && !(name in OF_TOURNAMENTS) ? ofCourse(code) : name;
}

const ofCourse = (code: string): Name => (/^game/.test(code) ? "games" : "course");

/** A file's report as one JSON object. */
export function outcome(file: string, report: Report, { publicKey }: Options) {
  const { kind, id, version, status, newer, findings, counts } = report;
  const checks = checksOf(report);
  const readable = report.verdict !== "unreadable";
  return {
    file,
    verdict: VERDICTS[report.verdict],
    kind,
    id,
    version,
    status,
    newer,
    missing: checks.filter(({ skipped }) => skipped).map((c) => `${c.name}: ${c.skipped}`),
    signed_by:
      report.publicKey === null
        ? null
        : {
            public_key: report.publicKey,
            key_id: keyId(report.publicKey),
            trusted: report.publicKey === publicKey,
          },
    checks,
    notes: findings.filter(({ severity }) => severity === "note").map(({ en }) => en),
    ...(readable ? {} : { error: findings.find((f) => f.severity === "unreadable")?.en ?? "" }),
    findings,
    dropped: report.dropped,
    counts,
  };
}

/** The report of a file that cannot be opened. */
export const unopened = (file: string, error: string) => ({
  file,
  verdict: "unreadable" as const,
  kind: null,
  id: null,
  version: null,
  status: null,
  newer: [],
  missing: [],
  signed_by: null,
  checks: [],
  notes: [],
  error,
});

function checksOf(report: Report): Check[] {
  if (report.kind === null) return [];
  const names = report.kind === "game" ? OF_GAMES : OF_TOURNAMENTS;
  const checks = new Map<string, Check>();
  for (const [name, count] of Object.entries(names)) {
    const checked = count === null ? 0 : report.counts[count];
    checks.set(name, { name, ok: true, checked, failures: [], skipped: "", not_here: false });
  }
  for (const one of report.unchecked) leave(checks.get(checkOf(one, report)), one.en, true);
  for (const finding of report.findings) {
    const check = checks.get(nameOf(finding, report));
    if (check === undefined) continue;
    if (finding.severity === "failure") {
      check.ok = false;
      check.failures.push(`${place(finding)}${finding.en}`);
    } else if (finding.severity === "open") leave(check, finding.en, false);
  }
  // Only games in which players sign have this check.
  if (report.counts.signed === 0) checks.delete("signatures");
  return [...checks.values()];
}

/**
 * Notes why something was not checked: only this program cannot check it (`notHere`), or no program
 * can. If both occur, no program can.
 */
function leave(check: Check | undefined, why: string, notHere: boolean): void {
  if (check === undefined) return;
  check.not_here = notHere && (check.skipped === "" || check.not_here);
  check.skipped = check.skipped === "" ? why : `${check.skipped} ${why}`;
}

function checkOf({ code }: Unchecked, { kind }: Report): Name {
  if (code === "bots") return "bots";
  if (code === "figures") return "report";
  if (code === "pairings" || code === "consequences") return "course";
  return kind === "tournament" ? "games" : "play";
}

/** The place of a finding, as the beginning of a sentence. */
export function place({ id, version, line }: Finding): string {
  const where = version !== null ? `event ${version}` : line !== null ? `line ${line}` : "";
  return where === "" ? "" : `${id ?? ""} ${where}: `.trimStart();
}

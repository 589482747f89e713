// Lists tournaments, or follows one: its table, plots and games, live. Uses the public API alone.
import { element, get, link, listen, table } from "./page.js";

const page = document.getElementById("page");
const id = location.pathname.split("/")[2];
const GAMES_SHOWN = 60;
const REFRESH_MS = 2000;

function told(t) {
  const why = t.waits_for ?? t.reason;
  return `${t.games.played} of ${t.games.planned} games, ${t.status}` + (why ? ` (${why})` : "");
}

async function list() {
  const { tournaments } = await get("/v1/tournaments?limit=100");
  const rows = tournaments.map((t) => [
    link(t.name, `/tournaments/${t.id}`), t.plan.ruleset, t.plan.format.type, told(t), t.created_at,
  ]);
  page.replaceChildren(
    element("h1", "Tournaments"),
    rows.length
      ? table(["name", "game", "format", "games", "made"], rows, [0, 1, 2, 3, 4])
      : element("p", "There are none yet."),
  );
}

function asOf({ as_of, version }) {
  if (as_of.version === version) return "";
  return as_of.at ? `The figures are as of ${as_of.at}.` : "There are no figures yet.";
}

const band = (pair, digits) => (pair ? pair.map((n) => n.toFixed(digits)).join(" – ") : "");

function standings(report) {
  const head = ["", "entry", "games", "points", "a game", "95 %", "wins", "score", "Elo", "95 %", "failures", "CPU s"];
  const rows = report.table.map((row) => [
    `${row.place}.`,
    element("span", row.entry, row.disqualified ? "out" : ""),
    row.games, row.points.toFixed(1), row.points_per_game.toFixed(3), band(row.points_band, 3),
    row.wins.toFixed(1), row.mean_score.toFixed(1), row.elo === null ? "" : row.elo.toFixed(0), band(row.elo_band, 0),
    row.failures, report.measured.cpu_seconds[row.entry].toFixed(1),
  ]);
  return table(head, rows, [1]);
}

function plots(report) {
  const made = element("div");
  for (const [name, text] of [["ratings", "Ratings over the games"], ["ranks", "Distribution of ranks"]]) {
    const image = element("img");
    image.src = `/v1/tournaments/${id}/${name}.svg?version=${report.as_of.version}`;
    image.alt = text;
    made.append(image);
  }
  return made;
}

async function games(report) {
  const after = Math.max(0, report.games.played - GAMES_SHOWN);
  const found = await get(`/v1/tournaments/${id}/games?after=${after}&limit=${2 * GAMES_SHOWN}`);
  const rows = found.games
    .filter((game) => game.result)
    .slice(-GAMES_SHOWN)
    .reverse()
    .map((game) => {
      const ranked = game.seating
        .map((name, seat) => `${game.result.ranks[seat]}. ${name} (${game.result.scores[seat]})`)
        .sort();
      const failed = game.result.failures.map(([seat, , why]) => `${game.seating[seat]}: ${why}`);
      const replay = element("span");
      replay.append(
        link("replay", `/games/${game.id}`), " ",
        link("events", `/v1/games/${game.id}/events?limit=1000`),
      );
      return [`${game.block}.${game.rotation + 1}`, ranked.join(", "), failed.join("; "), replay];
    });
  return table(["block", "result", "failures", ""], rows, [0, 1, 2, 3]);
}

async function show() {
  const report = await get(`/v1/tournaments/${id}/report`);
  document.title = `${report.name} – Lonja`;
  const plan = report.plan;
  const progress = element("progress");
  progress.max = report.games.planned || 1;
  progress.value = report.games.played;
  const parts = [
    element("h1", report.name),
    element("p", `${plan.ruleset}, ${plan.seats} seats, ${plan.format.type}. ${told(report)}.`, "quiet"),
    progress,
  ];
  if (report.imported)
    parts.push(element("p", `Held elsewhere, and imported by ${report.imported.by} at ${report.imported.at}.`));
  if (report.verdict) parts.push(element("p", `${report.verdict.verdict}: ${report.verdict.why}.`));
  for (const out of report.disqualified)
    parts.push(element("p", `${out.entry} is out since block ${out.after_block}: ${out.reason}.`));
  parts.push(
    element("h2", "Table"), standings(report), element("p", asOf(report), "quiet"),
    element("h2", "Plots"), plots(report),
    element("h2", "Games"), await games(report),
    element("p", `Tournament ${report.id}. Its record: lonja tournament export; lonja verify checks every figure.`, "quiet"),
  );
  page.replaceChildren(...parts);
  page.dataset.status = report.status;
  return report;
}

const isOver = (report) => ["ended", "cancelled"].includes(report.status);
const pause = () => new Promise((resolve) => setTimeout(resolve, REFRESH_MS));

async function settle(report) {
  // Bands come a little after the end: a worker makes them.
  while (isOver(report) && !report.samples) {
    await pause();
    report = await show();
  }
}

async function follow() {
  const report = await show();
  if (isOver(report)) return settle(report);
  let refreshing = false;
  const refresh = async () => {
    if (refreshing) return;
    refreshing = true;
    await pause(); // one look for all that happens meanwhile
    refreshing = false;
    await settle(await show());
  };
  listen(() => `/v1/tournaments/${id}/stream?after=${report.version}`, refresh);
}

(id ? follow() : list()).catch((error) => page.replaceChildren(element("p", `${error.message}.`)));

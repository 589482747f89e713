/** The host's commands for a tournament: pause, resume, extend, withdraw an entry, cancel. */

import { useState } from "preact/hooks";
import { once, told } from "../api/client.ts";
import { api } from "../browser/service.ts";
import { Doing } from "../parts/parts.tsx";
import type { Cup } from "./cup.ts";
import { type Report, statusOf } from "./shapes.ts";
import { cupWords } from "./words.ts";

/** The formats that can be extended while they run. */
const GROWS = new Set(["round_robin", "gauntlet", "compare"]);

export function Hosting({ cup, report }: { cup: Cup; report: Report }) {
  const words = cupWords.value;
  const [cancelling, setCancelling] = useState(false);
  const [reason, setReason] = useState("");
  const params = () => ({ path: { tournament_id: cup.id }, header: once() });
  const change = (ask: () => Promise<unknown>) => async () => {
    await ask();
    cup.stir();
  };
  return (
    <section class="card hosting" aria-labelledby="hosting">
      <h2 id="hosting">{words.hosting}</h2>
      <div class="actions">
        {statusOf(report) === "entries" && (
          <Doing
            class="main"
            does={change(() =>
              told(api.POST("/v1/tournaments/{tournament_id}/start", { params: params() })),
            )}
          >
            {words.start}
          </Doing>
        )}
        {report.status === "running" && (
          <Doing
            does={change(() =>
              told(api.POST("/v1/tournaments/{tournament_id}/pause", { params: params() })),
            )}
          >
            {words.pause}
          </Doing>
        )}
        {report.status === "paused" && (
          <Doing
            class="main"
            does={change(() =>
              told(api.POST("/v1/tournaments/{tournament_id}/resume", { params: params() })),
            )}
          >
            {words.resume}
          </Doing>
        )}
        {!cancelling && (
          <button type="button" class="plain" onClick={() => setCancelling(true)}>
            {words.cancel}
          </button>
        )}
      </div>
      {report.status === "running" && <p class="quiet">{words.pauseHint}</p>}
      {cancelling && (
        <div class="form sure">
          <p>{words.cancelSure}</p>
          <label>
            {words.cancelReason}
            <input
              value={reason}
              maxLength={200}
              onInput={(event) => setReason(event.currentTarget.value)}
            />
          </label>
          <p class="actions">
            <Doing
              does={change(() =>
                told(
                  api.POST("/v1/tournaments/{tournament_id}/cancel", {
                    params: params(),
                    body: reason.trim() ? { reason: reason.trim() } : {},
                  }),
                ),
              )}
            >
              {words.yesCancel}
            </Doing>
            <button type="button" onClick={() => setCancelling(false)}>
              {words.keep}
            </button>
          </p>
        </div>
      )}
      {GROWS.has(report.plan.format.type) && <Extend cup={cup} change={change} />}
      <Withdraw cup={cup} report={report} change={change} />
    </section>
  );
}

function Extend({
  cup,
  change,
}: {
  cup: Cup;
  change: (ask: () => Promise<unknown>) => () => Promise<void>;
}) {
  const words = cupWords.value;
  const [games, setGames] = useState(100);
  return (
    <p class="inline">
      <label>
        {words.extendBy}
        <input
          type="number"
          min={1}
          max={1_000_000}
          value={games}
          onInput={(event) => setGames(Number(event.currentTarget.value))}
        />
      </label>
      <Doing
        does={change(() =>
          told(
            api.POST("/v1/tournaments/{tournament_id}/extend", {
              params: { path: { tournament_id: cup.id }, header: once() },
              body: { games },
            }),
          ),
        )}
      >
        {words.extend}
      </Doing>
    </p>
  );
}

function Withdraw({
  cup,
  report,
  change,
}: {
  cup: Cup;
  report: Report;
  change: (ask: () => Promise<unknown>) => () => Promise<void>;
}) {
  const words = cupWords.value;
  const out = new Set(report.disqualified.map(({ entry }) => entry));
  const left = [...report.plan.entries.entries()].filter(([, { name }]) => !out.has(name));
  const [wanted, setWanted] = useState(0);
  const chosen = left.some(([number]) => number === wanted) ? wanted : (left[0]?.[0] ?? 0);
  return (
    <p class="inline">
      <label>
        {words.withdrawn}
        <select value={chosen} onChange={(event) => setWanted(Number(event.currentTarget.value))}>
          {left.map(([number, { name }]) => (
            <option key={number} value={number}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <Doing
        does={change(() =>
          told(
            api.POST("/v1/tournaments/{tournament_id}/withdraw", {
              params: { path: { tournament_id: cup.id }, header: once() },
              body: { entry: chosen },
            }),
          ),
        )}
      >
        {words.withdraw}
      </Doing>
    </p>
  );
}

/** Open decisions, and the time left for each. */

import { useEffect, useState } from "preact/hooks";
import { serviceNow } from "../api/clock.ts";
import type { Ruleset } from "../board/rulesets.ts";
import { useLanguage } from "../words/languages.ts";
import { Glyph } from "./glyph.tsx";
import { seatName } from "./names.ts";
import type { Table } from "./table.ts";
import { usePlayWords } from "./words.ts";

export function Questions({ table, ruleset }: { table: Table; ruleset: Ruleset }) {
  const words = usePlayWords();
  const language = useLanguage();
  const decisions = table.frame.value?.state.decisions ?? [];
  const own = table.own.value;
  // All seats may be asked the same at once, which is said once.
  const alike = (areOwn: boolean) =>
    Map.groupBy(
      decisions.filter(({ seat }) => own.includes(seat) === areOwn),
      ({ label, deadline }) => `${label} ${deadline}`,
    );
  const waits = table.game.value?.bots_wait_until;
  const namesOf = (asked: typeof decisions) => {
    const names = asked.map(({ seat }) => seatName(table.game.value, ruleset, seat, language));
    // Making a format takes longer than all else here.
    return names[1] ? new Intl.ListFormat(language).format(names) : names.join();
  };
  return (
    <div class="questions">
      {[true, false].map((areOwn) =>
        [...alike(areOwn)].map(([key, asked]) => (
          <p key={key} class={areOwn ? "asked mine" : "asked"}>
            {areOwn && <strong>{words.yourTurn}:</strong>}{" "}
            {areOwn ? asked[0]?.label : words.waitFor(namesOf(asked), asked[0]?.label ?? "")}{" "}
            <Clock deadline={asked[0]?.deadline ?? null} />
          </p>
        )),
      )}
      {waits && (
        <p class="quiet">{words.waitForBots(new Date(waits).toLocaleTimeString(language))}</p>
      )}
    </div>
  );
}

/** The time left until a deadline; nothing without one. */
export function Clock({ deadline }: { deadline: string | null }) {
  return deadline === null ? null : <Left until={Date.parse(deadline)} />;
}

/** The time until a point in time, at most `most` milliseconds; without one, `most`. */
export function Left({
  until,
  most = Number.POSITIVE_INFINITY,
  title,
}: {
  until: number | null;
  most?: number;
  title?: string;
}) {
  const words = usePlayWords();
  const [now, setNow] = useState(serviceNow);
  const left = until === null ? most : Math.min(most, Math.max(0, until - now));
  useEffect(() => {
    setNow(serviceNow);
    if (until === null) return;
    const timer = setInterval(() => setNow(serviceNow), left < 120_000 ? 1000 : 20_000);
    return () => clearInterval(timer);
  }, [until, left < 120_000]);
  const days = Math.floor(left / 86_400_000);
  const time = new Date(left).toISOString();
  const hours = Number(time.slice(11, 13));
  const minutes = Number(time.slice(14, 16));
  const text =
    days > 0
      ? words.days(days)
      : hours > 0
        ? `${hours}${time.slice(13, 16)} h`
        : `${minutes}${time.slice(16, 19)}`;
  return (
    <span class={`clock ${left < 30_000 ? "short" : ""}`} title={title ?? words.timeLeft}>
      <Glyph path="M10 5v5l3 2M10 3a7.5 7.5 0 1 0 .01 0M8 1h4" hollow />
      <span class="sr">{title ?? words.timeLeft} </span>
      {text}
    </span>
  );
}

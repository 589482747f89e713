/** What a player's page says about a bot account: its owner, its versions and its record. */

import type { ComponentChildren } from "preact";
import { type Schemas, told } from "../api/client.ts";
import { codeOf } from "../api/problem.ts";
import { language } from "../browser/language.ts";
import { api } from "../browser/service.ts";
import { Time } from "../parts/parts.tsx";
import { whole } from "../phrases/numbers.ts";
import { botAccountWords } from "./bot_account_words.ts";

export type KnownBot = Schemas["KnownBotAccount"];

/** Looks a bot account up; null for a program that nobody owns. */
export async function botAccount(id: string): Promise<KnownBot | null> {
  try {
    return await told(api.GET("/v1/bots/{player_id}", { params: { path: { player_id: id } } }));
  } catch (error) {
    if (codeOf(error) === "unknown_player") return null;
    throw error;
  }
}

export function BotAccount({
  bot,
  titleOf,
}: {
  bot: KnownBot;
  titleOf: (ruleset: string) => string;
}) {
  const words = botAccountWords.value;
  return (
    <>
      <section aria-labelledby="bot-account">
        <h2 id="bot-account">{words.title}</h2>
        <p>{bot.present ? words.present : words.absent}</p>
        <dl class="keys facts">
          <Row name={words.owner}>
            <a href={`/players/${bot.owner}`}>{bot.owner_name || bot.owner}</a>
          </Row>
          <Row name={words.version}>
            {bot.version} · {words.since} <Time at={bot.since} />
          </Row>
          {bot.author !== null && <Row name={words.author}>{bot.author}</Row>}
          {bot.page !== null && (
            <Row name={words.page}>
              <a href={bot.page} rel="noreferrer nofollow">
                {bot.page}
              </a>
            </Row>
          )}
          <Row name={words.takes}>
            {bot.takes.map(({ ruleset, seats }) => (
              <span key={ruleset}>
                {titleOf(ruleset)} · {words.players(either(seats))}
              </span>
            ))}
          </Row>
          <Row name={words.atOnce}>{whole(bot.concurrency)}</Row>
        </dl>
        <p class="quiet">{words.declared}</p>
      </section>
      <section aria-labelledby="bot-record">
        <h2 id="bot-record">{words.record}</h2>
        {bot.record.length === 0 ? (
          <p class="quiet">{words.noRecord}</p>
        ) : (
          <BotRecord bot={bot} titleOf={titleOf} />
        )}
      </section>
    </>
  );
}

function Row({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** The games that each version has played, the newest version first. */
function BotRecord({ bot, titleOf }: { bot: KnownBot; titleOf: (ruleset: string) => string }) {
  const words = botAccountWords.value;
  const age = new Map(bot.versions.map(({ version }, nth) => [version, nth] as const));
  const rows = bot.record
    .map((row) => ({ ...row, title: titleOf(row.ruleset), age: age.get(row.version) ?? age.size }))
    .sort((a, b) => a.age - b.age || a.title.localeCompare(b.title) || a.seats - b.seats);
  return (
    <>
      <div class="wide">
        <table class="figures bot-record">
          <thead>
            <tr>
              {[words.version, words.game, words.seats, words.games, words.won].map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ version, ruleset, seats, title, games, won }) => (
              <tr key={`${version} ${ruleset} ${seats}`}>
                <th scope="row">{version}</th>
                <td>{title}</td>
                <td>{seats}</td>
                <td>{whole(games)}</td>
                <td>
                  {whole(won)} <small>({part(won, games)})</small>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p class="quiet">{words.counted}</p>
      {bot.versions.length > 1 && (
        <details>
          <summary>{words.versions(bot.versions.length)}</summary>
          <ol class="rows" reversed>
            {bot.versions.map(({ version, since }) => (
              <li key={since}>
                {version} <Time at={since} />
              </li>
            ))}
          </ol>
        </details>
      )}
    </>
  );
}

function either(numbers: readonly number[]): string {
  return new Intl.ListFormat(language.peek(), { type: "disjunction" }).format(numbers.map(String));
}

function part(won: number, games: number): string {
  return (won / games).toLocaleString(language.peek(), { style: "percent" });
}

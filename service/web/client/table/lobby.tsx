/** A table before its start: seats, sitting down, invitations. */

import { useState } from "preact/hooks";
import { once, told } from "../api/client.ts";
import { codeOf } from "../api/problem.ts";
import type { Ruleset } from "../board/rulesets.ts";
import { identity } from "../browser/identity.ts";
import { invitation, invitationLink } from "../browser/invitation.ts";
import { language } from "../browser/language.ts";
import { go } from "../browser/router.ts";
import { api } from "../browser/service.ts";
import { bringing } from "../identity/entropy.ts";
import { somebody } from "../identity/signing.ts";
import { signing } from "../identity/signing_key.ts";
import { NameField } from "../parts/fields.tsx";
import { Copyable, Doing } from "../parts/parts.tsx";
import { phrases } from "../phrases/phrases.ts";
import type { Game, Table } from "../play/table.ts";
import { say } from "../words/labels.ts";
import { PRESENT } from "./address.ts";
import { Beacons } from "./beacons.tsx";
import { BringsEntropy, EntropyAwaited } from "./entropy.tsx";
import { Holder } from "./holder.tsx";
import { lobbyWords } from "./lobby_words.ts";
import { Signed } from "./signs.tsx";

export function LobbyPanel({
  table,
  game,
  ruleset,
}: {
  table: Table;
  game: Game;
  ruleset: Ruleset;
}) {
  const words = phrases.value;
  const labels = ruleset.words[language.value];
  const [name, setName] = useState("");
  const me = identity.value?.id;
  const sits = game.seats.some(({ player }) => player !== undefined && player === me);
  const { beacon } = game;
  const hosts = game.table.host !== null && game.table.host === me;
  const where = (seat: number) => ({ game_id: table.id, seat });
  const sit = async (seat: number) => {
    await somebody(name);
    const bound = game.table.seating === "random" ? null : seat;
    const body = {
      holder: "me" as const,
      ...(invitation.value ? { invitation: invitation.value } : {}),
      ...(game.entropy_mode === "reveal" ? {} : await bringing(table.id, bound)),
      ...(await signing(game.signatures)),
    };
    const taken = told(
      api.PUT("/v1/games/{game_id}/seats/{seat}", {
        params: { path: where(seat), header: once() },
        body,
      }),
    );
    await taken.catch(async (error) => {
      const { seats } = await table.refresh();
      const mine = seats[seat]?.player === identity.peek()?.id;
      // If the seat is this player's already (`mine`), it was taken in another tab.
      if (codeOf(error) !== "seat_taken" || !mine) throw error;
    });
    await table.open(() => PRESENT);
  };
  const stand = async (seat: number) => {
    await told(
      api.DELETE("/v1/games/{game_id}/seats/{seat}", {
        params: { path: where(seat), header: once() },
      }),
    );
    await table.refresh();
  };
  const seatBot = async (seat: number, bot: string) => {
    const body = { holder: "bot" as const, bot };
    await told(
      api.PUT("/v1/games/{game_id}/seats/{seat}", {
        params: { path: where(seat), header: once() },
        body,
      }),
    );
    await table.refresh();
  };
  const cancel = async () => {
    await told(
      api.DELETE("/v1/games/{game_id}", {
        params: { path: { game_id: table.id }, header: once() },
      }),
    );
    go("/lobby");
  };
  return (
    <section class="card lobby">
      {game.status === "closed" ? (
        <>
          <h2>{words.allSit}</h2>
          {!beacon && <EntropyAwaited game={game} />}
        </>
      ) : (
        <>
          <h2>{words.waitingFor}</h2>
          <p class="quiet">{lobbyWords.value.started}</p>
        </>
      )}
      {beacon && <Beacons>{({ BeaconTerms }) => <BeaconTerms {...{ game, beacon }} />}</Beacons>}
      {!me && <NameField name={name} onChange={setName} />}
      <ol class="lobby-seats">
        {game.seats.map((seat) => (
          <li key={seat.seat}>
            <span class="quiet">{say(labels, `seat.${seat.seat}`)}</span>{" "}
            <strong>{seat.holder === "open" ? words.freeSeat : <Holder seat={seat} />}</strong>
            <BringsEntropy seat={seat} closed={game.status === "closed"} />
            {seat.holder === "open" && !sits && (
              <Doing does={() => sit(seat.seat)} class="main">
                {lobbyWords.value.sitHere}
              </Doing>
            )}
            {seat.holder === "open" && hosts && (
              <BotChoice ruleset={ruleset} onChoose={(bot) => seatBot(seat.seat, bot)} />
            )}
            {seat.player !== undefined && seat.player === me && game.status === "lobby" && (
              <Doing does={() => stand(seat.seat)}>{lobbyWords.value.standUp}</Doing>
            )}
          </li>
        ))}
      </ol>
      <Signed game={game}>{({ PlayersSign }) => <PlayersSign />}</Signed>
      {hosts && game.status === "lobby" && <Invite game={game} />}
      {hosts && <Doing does={cancel}>{lobbyWords.value.cancelTable}</Doing>}
    </section>
  );
}

function BotChoice({
  ruleset,
  onChoose,
}: {
  ruleset: Ruleset;
  onChoose: (bot: string) => Promise<void>;
}) {
  const words = phrases.value;
  const { bots } = ruleset.summary;
  const [bot, setBot] = useState(bots[0]?.name ?? "");
  return (
    <span class="bot-choice">
      <select aria-label="bot" value={bot} onChange={(event) => setBot(event.currentTarget.value)}>
        {bots.map(({ name, title }) => (
          <option key={name} value={name}>
            {title}
          </option>
        ))}
      </select>
      <Doing does={() => onChoose(bot)}>
        {words.bot(bots.find(({ name }) => name === bot)?.title ?? bot)}
      </Doing>
    </span>
  );
}

function Invite({ game }: { game: Game }) {
  const [link, setLink] = useState<string | null>(
    game.table.visibility === "private" ? null : `${location.origin}/games/${game.id}`,
  );
  const invite = async () => {
    const open = game.seats.filter(({ holder }) => holder === "open").length;
    const made = await told(
      api.POST("/v1/games/{game_id}/invitations", {
        params: { path: { game_id: game.id }, header: once() },
        body: { uses: Math.max(1, open) },
      }),
    );
    setLink(invitationLink(game.id, made.token ?? ""));
  };
  return (
    <div class="invite">
      {link === null ? (
        <Doing does={invite}>{lobbyWords.value.invite}</Doing>
      ) : (
        <>
          <p>{lobbyWords.value.inviteLink}</p>
          <Copyable text={link} label={lobbyWords.value.invite} />
        </>
      )}
    </div>
  );
}

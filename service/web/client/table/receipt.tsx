/** This browser's newest receipt of a game, compared with the service's events. */

import { told } from "../api/client.ts";
import { api } from "../browser/service.ts";
import { receipts } from "../identity/receipts.ts";
import { useAsked } from "../parts/parts.tsx";
import { phrases } from "../phrases/phrases.ts";
import type { Game } from "../play/table.ts";
import { tableWords } from "./words.ts";

type Compared = "none" | "fits" | "differs";

async function compare(game: string): Promise<Compared> {
  const receipt = receipts()[game];
  if (!receipt) return "none";
  const page = await told(
    api.GET("/v1/games/{game_id}/events", {
      params: { path: { game_id: game }, query: { after: receipt.seq - 1, limit: 1 } },
    }),
  );
  const [event] = typeof page === "string" ? [] : page.events;
  return event?.seq === receipt.seq && event.hash === receipt.hash ? "fits" : "differs";
}

/**
 * A warning, if the receipt belongs to another history of the game. After the end, a line that says
 * that the receipt fits. Otherwise nothing.
 */
export function ReceiptCheck({ game, over }: { game: Game; over: boolean }) {
  const words = phrases.value;
  const texts = tableWords.value;
  const [asked] = useAsked(() => compare(game.id), [game.id, over]);
  if (asked.state !== "here" || asked.value === "none") return null;
  if (asked.value === "fits")
    return over ? (
      <p class="quiet" data-receipt="fits">
        {texts.receiptFits}
      </p>
    ) : null;
  return (
    <div class="banner failed" role="alert" data-receipt="differs">
      <p>
        <strong>{texts.receiptDiffers}</strong> {texts.receiptDiffersHow}
      </p>
      <p class="actions">
        <a class="button" href={receiptFile(game.id)} download={`${game.id}.receipt.json`}>
          {texts.saveReceipt}
        </a>{" "}
        <a href="/verify.html">{words.check}</a>
      </p>
    </div>
  );
}

/** The receipt as a file; it contains no secret. */
function receiptFile(game: string): string {
  return `data:application/json,${encodeURIComponent(JSON.stringify(receipts()[game]))}`;
}

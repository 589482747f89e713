/** The record of a game or tournament, as `lonja export` and `lonja tournament export` write it. */

import { told } from "../api/client.ts";
import { api } from "../browser/service.ts";

/** The kind of a record. */
export type Kind = "game" | "tournament";

/** Read a record, as the caller may see it; `onBytes` reports the progress. */
export async function fetchRecord(
  kind: Kind,
  id: string,
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
): Promise<Blob> {
  const how = { parseAs: "stream", signal } as const;
  const body = await told(
    kind === "game"
      ? api.GET("/v1/games/{game_id}/record", { params: { path: { game_id: id } }, ...how })
      : api.GET("/v1/tournaments/{tournament_id}/record", {
          params: { path: { tournament_id: id } },
          ...how,
        }),
  );
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  for await (const piece of body as ReadableStream<Uint8Array<ArrayBuffer>>) {
    pieces.push(piece);
    bytes += piece.length;
    onBytes(bytes);
  }
  return new Blob(pieces);
}

/** The refused requests of a key, each with a link to what its problem means. */

import { told } from "../api/client.ts";
import { api } from "../browser/service.ts";
import { Time, useAsked, Wait } from "../parts/parts.tsx";
import { accountWords } from "./words.ts";

export function Refusals({ id, name }: { id: string; name: string }) {
  const words = accountWords.value;
  const [asked, again] = useAsked(
    () =>
      told(
        api.GET("/v1/players/me/keys/{key_id}/refused_requests", {
          params: { path: { key_id: id } },
        }),
      ),
    [id],
  );
  return (
    <Wait for={asked} again={again}>
      {({ refused_requests: all }) => (
        <>
          <p class="quiet">
            {all.length === 0 ? words.noRefusals : words.refusalsAre}{" "}
            <button type="button" class="plain" onClick={again}>
              {words.again}
            </button>
          </p>
          <ol class="attempts" aria-label={words.refusalsOf(name)}>
            {all.map(({ at, method, path, status, code, detail, request_id }) => (
              <li key={`${at} ${request_id}`}>
                <code>
                  {method} {path}
                </code>
                <p>
                  {status} <a href={`/docs/problems/${code}`}>{code}</a>: {detail}
                </p>
                <p class="quiet">
                  <Time at={at} seconds /> · {words.requestId} <code>{request_id}</code>
                </p>
              </li>
            ))}
          </ol>
        </>
      )}
    </Wait>
  );
}

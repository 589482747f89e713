/** Loads a ruleset's renderer from its service; this code of the service runs in the page. */

import type { Service } from "../api/client.ts";
import * as lent from "../board/kit.ts";
import type { Digests } from "../board/rulesets.ts";
import type { Renderer } from "../board/scene.ts";

/** The place where a renderer looks for the kit's exports. */
const LENT = '"/static/app/kit.js"';
const KIT = Symbol.for("@lonja/kit");

/**
 * The renderer of a ruleset; `{}` if it has none. The digest of the code is checked before it runs.
 * What the code imports comes from this kit, not from the service. The page's policy has to allow
 * `blob:`.
 */
export async function fetched(
  { url }: Service,
  ruleset: string,
  { renderer: digest }: Digests,
): Promise<Renderer> {
  if (!digest) return {};
  const path = `/v1/rulesets/${encodeURIComponent(ruleset)}/renderer?digest=${digest}`;
  const code = await (await fetch(url + path)).arrayBuffer();
  if (hex(await crypto.subtle.digest("SHA-256", code)) !== digest)
    throw new Error(`${url}${path} is not what its digest says`);
  const source = new TextDecoder().decode(code);
  const found = (await imported(source.replaceAll(LENT, JSON.stringify(kit())))) as {
    default: Renderer;
  };
  return found.default;
}

let address: string | null = null;

/** The URL of a module that exports what renderers may import. */
function kit(): string {
  Object.assign(globalThis, { [KIT]: lent });
  const names = Object.keys(lent).join(", ");
  address ??= blob(`export const { ${names} } = globalThis[Symbol.for("@lonja/kit")];`);
  return address;
}

async function imported(source: string): Promise<unknown> {
  const url = blob(source);
  try {
    return await import(url);
  } finally {
    URL.revokeObjectURL(url);
  }
}

function blob(source: string): string {
  return URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
}

function hex(bytes: ArrayBuffer): string {
  return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

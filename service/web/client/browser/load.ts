/** Loads a ruleset's renderer, which is code of the service, and runs it. */

import type { Service } from "../api/client.ts";
import type { Digests } from "../board/rulesets.ts";
import type { Renderer } from "../board/scene.ts";

/**
 * The renderer of a ruleset; `{}`, which means the generic board, if there is none. The browser
 * checks the digest before it runs anything: a script element with `integrity` loads the module,
 * and `import` then finds the loaded module.
 */
export async function loaded(
  { url }: Service,
  ruleset: string,
  { renderer: digest }: Digests,
): Promise<Renderer> {
  if (digest === null) return {};
  const path = `/v1/rulesets/${encodeURIComponent(ruleset)}/renderer?digest=${digest}`;
  await checked(url + path, digest);
  const found = (await import(/* a renderer's own address */ url + path)) as { default: Renderer };
  return found.default;
}

function checked(url: string, digest: string): Promise<void> {
  const bytes = digest.match(/../g)?.map((pair) => Number.parseInt(pair, 16)) ?? [];
  const script = document.createElement("script");
  script.type = "module";
  script.integrity = `sha256-${btoa(String.fromCharCode(...bytes))}`;
  return new Promise<void>((resolve, reject) => {
    script.onload = () => resolve();
    script.onerror = () => reject(new Error(`${url} is not there, or not what its digest says`));
    script.src = url;
    document.head.append(script);
  }).finally(() => script.remove());
}

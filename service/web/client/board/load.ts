/** Loads a ruleset's renderer by its digest; a ruleset without one uses the generic board. */

import { loading } from "../browser/release.ts";
import type { Renderer } from "./scene.ts";

const loaded = new Map<string, Promise<Renderer>>();

/**
 * The renderer with this SHA-256 (hexadecimal). The browser checks the digest before it runs
 * anything: a script element with `integrity` puts the module where `import` finds it.
 */
export function renderer(ruleset: string, digest: string): Promise<Renderer> {
  const url = `/v1/rulesets/${encodeURIComponent(ruleset)}/renderer?digest=${digest}`;
  const known = loaded.get(url);
  if (known) return known;
  const made = loading(async () => {
    await checked(url, digest);
    const { default: found } = (await import(/* a renderer's own address */ url)) as {
      default: Renderer;
    };
    if (found.style) adopt(found.style);
    return found;
  });
  loaded.set(url, made);
  made.catch(() => loaded.delete(url)); // another try may have a better connection
  return made;
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

/**
 * Styles set through the CSS object model count as the page's own code, which its policy allows.
 */
function adopt(style: string): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(style);
  document.adoptedStyleSheets.push(sheet);
}

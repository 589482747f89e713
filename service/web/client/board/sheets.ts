/**
 * Style sheets of boards, which are added to the document or the shadow root that shows the board.
 * They are added through the CSS object model, so a policy that forbids inline styles allows them.
 */

import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";

const sheets = new Map<string, CSSStyleSheet>();

/** Adds a style sheet to the document or shadow root of an element, before the element is shown. */
export function useSheet(element: RefObject<Element | null>, style: string | undefined): void {
  useLayoutEffect(() => {
    if (style && element.current) adopt(element.current.getRootNode() as Document, style);
  }, [style]);
}

/** Adds a style sheet to a document or a shadow root, once. */
export function adopt(root: DocumentOrShadowRoot, style: string): void {
  const sheet = sheets.get(style) ?? new CSSStyleSheet();
  if (!sheets.has(style)) sheet.replaceSync(style);
  sheets.set(style, sheet);
  if (!root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets.push(sheet);
}

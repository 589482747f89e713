/**
 * Style sheets of boards, which are put into the document or the shadow root that shows the board.
 * They are added through the CSS object model, so a policy against inline styles allows them.
 */

import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";

const sheets = new Map<string, CSSStyleSheet>();

/** Put a style sheet into the root of an element before it is shown. */
export function useSheet(element: RefObject<Element | null>, style: string | undefined): void {
  useLayoutEffect(() => {
    if (style && element.current) adopt(element.current.getRootNode() as Document, style);
  }, [style]);
}

/** Put a style sheet into a document or a shadow root, once. */
export function adopt(root: DocumentOrShadowRoot, style: string): void {
  const sheet = sheets.get(style) ?? new CSSStyleSheet();
  if (!sheets.has(style)) sheet.replaceSync(style);
  sheets.set(style, sheet);
  if (!root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets.push(sheet);
}

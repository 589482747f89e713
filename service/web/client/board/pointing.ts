/** What pointers meet on a page: elements of boards, and controls that are large enough. */

import style from "../style/pointing.css" with { type: "text" };
import { adopt } from "./sheets.ts";

/** Adds the style for pointers to a document or a shadow root, once. */
export function forPointers(root: DocumentOrShadowRoot): void {
  adopt(root, style);
}

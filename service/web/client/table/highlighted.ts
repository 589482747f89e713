/** The effects of the log's line under the pointer; the board marks the elements that they name. */

import { signal } from "@preact/signals";
import type { Effect } from "../play/table.ts";

export const highlighted = signal<readonly Effect[]>([]);

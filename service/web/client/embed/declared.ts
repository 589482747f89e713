/**
 * Compares the package's declarations (clients/js/*.d.ts) with its code, by types; nothing loads
 * this.
 */

import type * as DeclaredCheck from "../../../../clients/js/check.d.ts";
import type * as Declared from "../../../../clients/js/index.d.ts";
import type * as check from "../verify/verify.ts";
import type * as kit from "./index.ts";

type Has<T, U extends T> = U;
export type Kit = Has<typeof Declared, typeof kit>;
export type Check = Has<typeof DeclaredCheck, typeof check>;

/**
 * Compares the declarations of the package (clients/js/*.d.ts) with its code when types are
 * checked; nothing loads this module.
 */

import type * as DeclaredCheck from "../../../../clients/js/check.d.ts";
import type * as Declared from "../../../../clients/js/index.d.ts";
import type * as DeclaredSign from "../../../../clients/js/sign.d.ts";
import type * as sign from "../signing/sign.ts";
import type * as check from "../verify/verify.ts";
import type * as kit from "./index.ts";

type Has<T, U extends T> = U;
export type Kit = Has<typeof Declared, typeof kit>;
export type Sign = Has<typeof DeclaredSign, typeof sign>;
export type Check = Has<typeof DeclaredCheck, typeof check>;

/** `@lonja/kit/sign`: keys with which a program signs the moves of a seat. */

export { SigningKey } from "./key.ts";
export { CannotSign } from "./refusals.ts";

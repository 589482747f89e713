/** The time at the service, by which deadlines are. */

/** How many milliseconds the clock of this machine is ahead, as far as that is known. */
export const clock = { ahead: 0 };

export function serviceNow(): number {
  return Date.now() - clock.ahead;
}

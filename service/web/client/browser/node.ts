/** The browser globals that modules read when they load, for tests in Node (`node --test`). */

const page = new URL("http://localhost/");

/** Set the address. */
export function visit(address: string): void {
  page.href = new URL(address, page).href;
}

Object.assign(globalThis, {
  location: page,
  history: {
    replaceState: (_state: unknown, _unused: string, address: string) => visit(address),
  },
  addEventListener: () => {}, // a test's page is never hidden or shown
});

/**
 * For tests in Node (`node --test`): the global objects of a browser that modules read when they
 * load.
 */

const page = new URL("http://localhost/");

/** Sets the address of the page. */
export function visit(address: string): void {
  page.href = new URL(address, page).href;
}

Object.assign(globalThis, {
  location: page,
  history: {
    replaceState: (_state: unknown, _unused: string, address: string) => visit(address),
  },
  addEventListener: () => {}, // in a test, the page is never hidden or shown
});

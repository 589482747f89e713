/** What modules find of a browser when they are loaded, for tests that Node runs (`node --test`). */

const page = new URL("http://localhost/");

/** Be at another address. */
export function visit(address: string): void {
  page.href = new URL(address, page).href;
}

Object.assign(globalThis, {
  location: page,
  history: {
    replaceState: (_state: unknown, _unused: string, address: string) => visit(address),
  },
  addEventListener: () => {}, // nothing happens to a page that nobody looks at
});

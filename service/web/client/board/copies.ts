/**
 * Lets Preact draw copies of elements, as it does of those that are in use already, and never the
 * elements themselves. An element that it draws keeps the parent that it had then, and with it the
 * whole page of that moment; so, while one is kept to be drawn again, all pages before it would stay
 * in memory, one for each event of a game.
 */

import { options } from "preact";

// Preact's name for an element's depth on the page, which is 0 only before it is in use.
options.vnode = (element) => Object.assign(element, { __b: 1 });

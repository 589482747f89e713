import assert from "node:assert/strict";
import { test } from "node:test";
import { visit } from "../browser/node.ts";
import { deviceLink, takeKey } from "./signing.ts";

test("a link signs another device in by its fragment, and the key is taken out of the address", () => {
  const link = deviceLink("p-1.a/b+c=");
  assert.equal(new URL(link).search, "", "no server is told");
  visit(link);
  assert.equal(takeKey(), "p-1.a/b+c=");
  assert.equal(location.href, "http://localhost/you");
  assert.equal(takeKey(), null);
});

test("another fragment brings no key, and stays", () => {
  visit("/you#main");
  assert.equal(takeKey(), null);
  assert.equal(location.hash, "#main");
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { broughtKey, deviceLink, takeKey } from "./device.ts";
import { visit } from "./node.ts";

test("a link signs another device in by its fragment, and the key is taken out of the address", () => {
  const link = deviceLink("p-1.a/b+c=");
  assert.equal(new URL(link).search, "", "no server is told");
  visit(link);
  takeKey();
  assert.equal(broughtKey.value, "p-1.a/b+c=");
  assert.equal(location.href, "http://localhost/you");
});

test("another fragment brings no key, and stays", () => {
  broughtKey.value = null;
  visit("/you#main");
  takeKey();
  assert.equal(broughtKey.value, null);
  assert.equal(location.hash, "#main");
});

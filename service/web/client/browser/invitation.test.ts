import assert from "node:assert/strict";
import { test } from "node:test";
import { invitation, invitationLink, takeInvitation } from "./invitation.ts";
import { visit } from "./node.ts";

test("an invitation is taken out of the address, and nothing else is", () => {
  visit("/games/g1#v=3&invitation=a%2Fb&seat=1");
  takeInvitation();
  assert.equal(invitation.value, "a/b");
  assert.equal(location.href, "http://localhost/games/g1#v=3&seat=1");
});

test("a link that invites brings its invitation, and leaves a plain address", () => {
  visit(invitationLink("g2", "x+y z"));
  takeInvitation();
  assert.equal(invitation.value, "x+y z");
  assert.equal(location.href, "http://localhost/games/g2");
});

test("an address without one changes nothing", () => {
  visit("/games/g3#check");
  takeInvitation();
  assert.equal(invitation.value, "x+y z");
  assert.equal(location.href, "http://localhost/games/g3#check");
});

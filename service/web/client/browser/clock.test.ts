import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { clock, serviceNow } from "../api/clock.ts";
import { compareClocks } from "./clock.ts";

const HOUR = 3_600_000;

function answer(ahead: number, caching = "private, no-cache", status = 200): Response {
  const headers = { Date: new Date(Date.now() - ahead).toUTCString(), "Cache-Control": caching };
  return new Response("", { headers, status });
}

afterEach(() => {
  clock.ahead = 0;
});

test("the time at the service is told whatever the clock of this machine says", () => {
  for (const ahead of [5 * HOUR, -5 * HOUR]) {
    compareClocks(answer(ahead));
    assert.ok(Math.abs(serviceNow() - (Date.now() - ahead)) < 2000);
  }
  compareClocks(answer(0));
  assert.equal(clock.ahead, 0, "the clock was set right");
});

test("a clock is right that differs by no more than an answer takes, or an answer is old", () => {
  compareClocks(answer(20_000));
  compareClocks(answer(HOUR, "public, max-age=300"));
  compareClocks(answer(HOUR, "no-cache", 203));
  compareClocks(new Response(""));
  assert.equal(clock.ahead, 0);
});

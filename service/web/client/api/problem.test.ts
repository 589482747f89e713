import assert from "node:assert/strict";
import { test } from "node:test";
import { Refusal, sentence } from "./problem.ts";

test("each fault of a field is said once, also the first, which is the detail", () => {
  const errors = [
    { field: "url", message: "must be https://…" },
    { field: "events", message: "is empty" },
  ];
  const refusal = new Refusal(422, {
    code: "invalid_body",
    detail: "url: must be https://…",
    errors,
  });
  assert.equal(sentence(refusal), "url: must be https://… · events: is empty");
});

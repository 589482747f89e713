import assert from "node:assert/strict";
import { test } from "node:test";
import { linked } from "./links.mjs";

/** The output of esbuild for a shell with a shared part and a part that is loaded later. */
function built(later = "b") {
  const texts = {
    "app.js": 'import{a}from"./chunk-AAAAAAAA.js";import("./later-BBBBBBBB.js");',
    "kit.js": 'export{a}from"./chunk-AAAAAAAA.js";',
    "chunk-AAAAAAAA.js": "export let a=x?v:1",
    "later-BBBBBBBB.js": `import{a}from"./chunk-AAAAAAAA.js";import"./app.js";"/static/app/kit.js";${later}`,
  };
  const outputs = {
    "out/app.js": { entryPoint: "main.ts", inputs: {} },
    "out/kit.js": { entryPoint: "kit.ts", inputs: {} },
    "out/chunk-AAAAAAAA.js": {
      inputs: {
        "a/small.ts": { bytesInOutput: 1 },
        "node_modules/@x/y/z.js": { bytesInOutput: 2 },
      },
    },
    "out/later-BBBBBBBB.js": { entryPoint: "rooms/later.ts", inputs: {} },
  };
  const outputFiles = Object.entries(texts).map(([name, text]) => ({ path: `out/${name}`, text }));
  return linked({ outputFiles, metafile: { outputs } }, ["kit.js"]);
}

test("parts are called by what they are for, and links say versions, but to what stays", () => {
  const { texts, versions } = built();
  assert.deepEqual([...versions.keys()], ["app.js", "kit.js", "rooms-later.js", "x-y.js"]);
  const shared = `"./x-y.js?v=${versions.get("x-y.js")}"`;
  const later = `"./rooms-later.js?v=${versions.get("rooms-later.js")}"`;
  assert.equal(texts.get("app.js"), `import{a}from${shared};import(${later});`);
  assert.match(texts.get("rooms-later.js"), /"\/static\/app\/kit\.js"/);
  assert.deepEqual(built(), { texts, versions });
});

test("a part that changes has another version, and so has all that loads it, in circles too", () => {
  const [one, other] = [built().versions, built("c").versions];
  const same = [...one.keys()].filter((name) => one.get(name) === other.get(name));
  assert.deepEqual(same, ["kit.js", "x-y.js"]);
});

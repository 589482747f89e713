import assert from "node:assert/strict";
import { test } from "node:test";
import { drawingOf } from "./art.mjs";

const COLOURS = { wood: { light: "#b98a57", dark: "#7d5833" } };
const drawn = (inside, viewBox = "-12 -12 24 24") =>
  drawingOf(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${viewBox}">${inside}</svg>`,
    COLOURS,
  );

test("shapes are drawn as they are, and a swatch is the board's colour in the page's theme", () => {
  const swatch =
    '<defs><linearGradient id="wood"><stop stop-color="#b98a57"/></linearGradient></defs>';
  assert.equal(
    drawn(`${swatch}<g transform='rotate(5)'><path d="M0 0h2" fill="url(#wood)"/></g>`),
    '<><g transform={"rotate(5)"}><path d={"M0 0h2"} fill={"var(--board-wood)"}></path></g></>',
  );
  assert.equal(
    drawn("<text y='1'>a &lt; {b} &#x20b1;</text>"),
    '<><text y={"1"}>{"a < {b} ₱"}</text></>',
  );
});

test("what drawing programs write for themselves is left out", () => {
  const saved = `<?xml version="1.0" encoding="UTF-8"?>
<!-- Created with a program -->
<svg version="1.1" id="svg1" viewBox="-12,-12,24,24" xmlns="http://www.w3.org/2000/svg"
   xmlns:sodipodi="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd">
  <sodipodi:namedview id="view1" showgrid="true"><grid id="g"/></sodipodi:namedview>
  <metadata><x/></metadata>
  <defs id="defs1">
    <linearGradient id="wood" inkscape:swatch="solid">
      <stop style="stop-color:#b98a57;stop-opacity:1" offset="0" id="stop1" />
    </linearGradient>
  </defs>
  <g inkscape:label="Layer 1" id="layer1">
    <title>Layer</title>
    <circle style="fill:url(#wood);stroke:#000" r="3" id="c1" sodipodi:nodetypes="cc" />
  </g>
</svg>
`;
  assert.equal(
    drawingOf(saved, COLOURS),
    '<><g><circle style={"fill:var(--board-wood);stroke:#000"} r={"3"}></circle></g></>',
  );
});

test("what a board cannot draw is refused, and named", () => {
  const gradient = (id, stops) =>
    `<defs><linearGradient id="${id}">${stops}</linearGradient></defs>`;
  const refused = [
    [() => drawn("<path/>", "0 0 24 24"), /viewBox="-12 -12 24 24"/],
    [() => drawn("<image href='x.png'/>"), /<image> is not drawn/],
    [() => drawn("<script>alert(1)</script>"), /<script> is not drawn/],
    [() => drawn("<path onload='x()'/>"), /<path onload> is not drawn/],
    [() => drawn("<path fill='url(#sea)'/>"), /fill="url\(#sea\)" is no swatch/],
    [() => drawn(gradient("wood", "<stop/><stop/>")), /id="wood"> is no swatch/],
    [() => drawn(gradient("wood", "<stop stop-color='#000'/>")), /is #000, in board.json #b98a57/],
    [() => drawn(gradient("sand", "<stop stop-color='#000'/>")), /"sand" is #000/],
    [() => drawn("<g>"), /<\/svg> closes what is not open/],
    [() => drawn("\n<path d=M0 />"), /line 2 is no XML/],
    [() => drawingOf("<svg viewBox='-1 -1 2 2'>", COLOURS), /not one element/],
  ];
  for (const [refuse, message] of refused) assert.throws(refuse, message);
});

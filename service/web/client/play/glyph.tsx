/** Signs of the page, drawn as paths because not every font has them. */

/** A path within 20 × 20, filled or stroked. */
export function Glyph({ path, hollow = false }: { path: string; hollow?: boolean }) {
  return (
    <svg class={hollow ? "glyph hollow" : "glyph"} viewBox="0 0 20 20" aria-hidden="true">
      <path d={path} />
    </svg>
  );
}

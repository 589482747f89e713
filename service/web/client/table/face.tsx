/** The faces of bots, which the service draws. */

/**
 * The face of a bot, which is found by the bot's name or by the id of its account. The size is in
 * heights of the letters beside it.
 */
export function Face({ of: name, size = 1.6 }: { of: string; size?: number }) {
  const src = `/faces/${encodeURIComponent(name)}.svg`;
  const style = { width: `${size}em`, margin: "-0.2em 0.3em -0.2em 0", verticalAlign: "-0.4em" };
  return <img class="face" style={style} src={src} alt="" loading="lazy" />;
}

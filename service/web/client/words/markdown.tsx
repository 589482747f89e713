/**
 * Renders the Markdown of rules as elements, without HTML: headings, lists, tables, emphasis,
 * links, anchors.
 */

import type { ComponentChild, JSX } from "preact";

interface Block {
  readonly kind: "heading" | "list" | "table" | "paragraph";
  readonly lines: readonly string[];
}

export function Markdown({ text }: { text: string }) {
  return (
    <>
      {blocksOf(text).map((block, index) => (
        <BlockView key={`${index} ${block.kind}`} block={block} />
      ))}
    </>
  );
}

function blocksOf(text: string): Block[] {
  return text
    .split(/\n\s*\n/)
    .flatMap((part) => part.split(/\n(?=#{1,6} )|(?<=^#{1,6} [^\n]*)\n/))
    .map((part) => part.trim())
    .filter(Boolean)
    .map((part): Block => {
      const lines = part.split("\n");
      if (/^#{1,6} /.test(part)) return { kind: "heading", lines };
      if (lines.every((line) => line.startsWith("|"))) return { kind: "table", lines };
      if (/^\s*([-*]|\d+\.) /.test(part)) return { kind: "list", lines };
      return { kind: "paragraph", lines };
    });
}

function BlockView({ block: { kind, lines } }: { block: Block }) {
  if (kind === "heading") {
    const [, marks = "#", words = ""] = /^(#+) (.*)$/s.exec(lines.join(" ")) ?? [];
    const Heading = `h${Math.min(marks.length, 6)}` as "h2";
    return <Heading>{inline(words)}</Heading>;
  }
  if (kind === "table") return <TableView lines={lines} />;
  if (kind === "list") {
    const items = lines.join("\n").split(/\n(?=\s*(?:[-*]|\d+\.) )/);
    const List = /^\s*\d/.test(items[0] ?? "") ? "ol" : "ul";
    return (
      <List>
        {items.map((item, index) => (
          <li key={`${index + 1}`}>
            {inline(item.replace(/^\s*([-*]|\d+\.) /, "").replaceAll("\n", " "))}
          </li>
        ))}
      </List>
    );
  }
  return <p>{inline(lines.join(" "))}</p>;
}

function TableView({ lines }: { lines: readonly string[] }) {
  const cells = (line: string) =>
    line
      .replace(/^\||\|\s*$/g, "")
      .split("|")
      .map((cell) => cell.trim());
  const [head = "", , ...rows] = lines;
  return (
    <div class="wide" tabIndex={0} role="region" aria-label={cells(head).join(", ")}>
      <table>
        <thead>
          <tr>
            {cells(head).map((cell, index) => (
              <th key={`${index} ${cell}`}>{inline(cell)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={`${index} ${row}`}>
              {cells(row).map((cell, at) => (
                <td key={`${at} ${cell}`}>{inline(cell)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const INLINE = /<a id="([^"]+)"><\/a>|\*\*(.+?)\*\*|\*(.+?)\*|_(.+?)_|`(.+?)`|\[(.+?)\]\(([^)]+)\)/;

function inline(text: string): ComponentChild[] {
  const found = INLINE.exec(text);
  if (!found) return [text];
  const [whole, anchor, strong, slanted, slanted2, code, link, to] = found;
  const before = text.slice(0, found.index);
  const rest = inline(text.slice(found.index + whole.length));
  return [before, element(), ...rest];

  function element(): JSX.Element {
    if (anchor !== undefined) return <span id={anchor} />;
    if (strong !== undefined) return <strong>{inline(strong)}</strong>;
    if (code !== undefined) return <code>{code}</code>;
    if (link !== undefined && to !== undefined && /^(#|https?:|\/)/.test(to))
      return <a href={to}>{inline(link)}</a>;
    if (link !== undefined) return <span>{inline(link)}</span>;
    return <em>{inline(slanted ?? slanted2 ?? "")}</em>;
  }
}

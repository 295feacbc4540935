export type MarkdownPart =
  | { kind: "heading"; text: string }
  | { kind: "paragraph"; text: string }
  | { kind: "list"; isOrdered: boolean; items: string[] }
  | ({ kind: "table" } & Table);

/** A table of Markdown lines. */
export interface Table {
  head: string[];
  rows: string[][];
}

export interface Run {
  kind: "text" | "code" | "strong" | "link";
  text: string;
  href?: string;
}

/**
 * Parses Markdown as far as our own texts use it: headings, paragraphs, lists and tables, with blank lines between
 * them.
 */
export function markdownParts(markdown: string): MarkdownPart[] {
  return markdown
    .split(/\n{2,}/)
    .map((part) => part.trim())
    .filter(Boolean)
    .map(partOf);
}

function partOf(part: string): MarkdownPart {
  const lines = part.split("\n");
  if (/^#{1,6} /.test(part)) return { kind: "heading", text: part.replace(/^#+ /, "") };
  if (lines.every((line) => line.startsWith("|")) && lines.length > 1) {
    const [head = [], , ...rows] = lines.map(cells);
    return { kind: "table", head, rows };
  }
  if (/^(- |\d+\. )/.test(part)) {
    const items = part.split(/\n(?=- |\d+\. )/).map((item) => item.replace(/^(- |\d+\. )/, "").replace(/\n\s*/g, " "));
    return { kind: "list", isOrdered: /^\d/.test(part), items };
  }
  return { kind: "paragraph", text: lines.join(" ") };
}

function cells(line: string): string[] {
  return line
    .slice(1, line.endsWith("|") ? -1 : undefined)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll("\\|", "|"));
}

/** Splits a line into text, `code`, **strong** and [links](/docs). Anything else is plain text. */
export function runsOf(line: string): Run[] {
  const marks = /`([^`]+)`|\*\*([^*]+)\*\*|\[([^\]]+)\]\(((?:\/|#|https:\/\/)[^)\s]*)\)/g;
  const runs: Run[] = [];
  let from = 0;
  for (const found of line.matchAll(marks)) {
    if (found.index > from) runs.push({ kind: "text", text: line.slice(from, found.index) });
    const [whole, code, strong, label, href] = found;
    if (code !== undefined) runs.push({ kind: "code", text: code });
    else if (strong !== undefined) runs.push({ kind: "strong", text: strong });
    else runs.push({ kind: "link", text: label ?? "", href });
    from = found.index + whole.length;
  }
  if (from < line.length) runs.push({ kind: "text", text: line.slice(from) });
  return runs;
}

/** Strips the marks of a text, for search. */
export function plainText(markdown: string): string {
  const lines = markdown.split("\n").map((line) => line.replace(/^(#+ |- |\d+\. )/, "").replace(/\|[-|]*/g, " "));
  return runsOf(lines.join(" "))
    .map(({ text }) => text)
    .join("")
    .replace(/\s+/g, " ")
    .trim();
}

/** Returns a line as it is read aloud. */
export function spokenText(line: string): string {
  return runsOf(line)
    .map(({ text }) => text.replace(/^`(.*)`$/, "$1"))
    .join("");
}

/** Lists sentences, entries of lists and rows of tables, without marks. */
export function linesOf(markdown: string): string[] {
  const lines = markdownParts(markdown).flatMap((part) => {
    if (part.kind === "list") return part.items;
    if (part.kind === "table") return part.rows.map((row) => row.filter(Boolean).join(" · "));
    return part.text.split(/(?<=[.?:]) (?=[A-Z`])/);
  });
  return lines.map(spokenText);
}

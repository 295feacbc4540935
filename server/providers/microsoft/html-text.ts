import { cleaned } from "@/server/domain/text";

const hidden = new Set(["head", "style", "script", "title"]);
const breaking = new Set(["br", "/p", "/div", "/tr", "/li", "/h1", "/h2", "/h3", "/h4", "/h5", "/h6"]);
const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " };
const LAST_CODE_POINT = 0x10ffff;

/** Gives a document as plain text, where Graph has sent one although text was asked for. */
export function htmlText(html: string): string {
  // Letters beyond ASCII may grow in lower case, and positions have to stay.
  const lowered = html.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  let text = "";
  let at = 0;
  while (at < html.length) {
    const tag = html.indexOf("<", at);
    text += spaced(html.slice(at, tag < 0 ? html.length : tag));
    const end = tag < 0 ? -1 : closeOf(html, tag);
    if (end < 0) break;
    const name = /^\/?[a-z]+\d?/.exec(lowered.slice(tag + 1, tag + 12))?.[0] ?? "";
    if (breaking.has(name)) text += "\n";
    at = hidden.has(name) ? after(lowered.indexOf(`</${name}`, end), end, html) : end;
  }
  const lines = cleaned(decoded(text)).split("\n");
  return lines
    .map((line) => line.trim())
    .join("\n")
    .trim();
}

/** Replaces line breaks of the source with spaces, along with all other white space. */
function spaced(text: string): string {
  return text.replace(/\s+/g, " ");
}

/** Finds where a tag or a comment ends. Returns -1 if it never ends. */
function closeOf(html: string, tag: number): number {
  const isComment = html.startsWith("<!--", tag);
  const close = html.indexOf(isComment ? "-->" : ">", tag);
  return close < 0 ? -1 : close + (isComment ? 3 : 1);
}

/**
 * Finds the position after the element whose end tag begins at `closing`. An element without an end goes on to the end
 * of the document.
 */
function after(closing: number, from: number, html: string): number {
  const close = closing < from ? -1 : html.indexOf(">", closing);
  return close < 0 ? html.length : close + 1;
}

function decoded(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,4}));/gi, (whole, decimal, hex, name) => {
    const code = name === undefined ? Number.parseInt(decimal ?? hex, decimal ? 10 : 16) : null;
    if (code !== null) return code <= LAST_CODE_POINT ? String.fromCodePoint(code) : whole;
    return entities[name.toLowerCase()] ?? whole;
  });
}

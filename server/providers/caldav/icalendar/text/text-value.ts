import { cleaned } from "@/server/domain/text";

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what no line of a calendar can hold (RFC 5545 §3.1, CONTROL)
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g;
const BACKSLASH = 0x5c;
const NEWLINE = 0x0a;
/** Escaped characters: a backslash, a semicolon, a comma, n and N. */
const escapes = new Map([
  [BACKSLASH, BACKSLASH],
  [0x3b, 0x3b],
  [0x2c, 0x2c],
  [0x6e, NEWLINE],
  [0x4e, NEWLINE],
]);

/** Gives the text of a TEXT value (RFC 5545 §3.3.11). */
export function readText(value: string): string {
  const text = cleaned(value);
  return text.includes("\\") ? unescaped(text) : text;
}

/** Decodes the escapes of a text in one pass over the code units, because a text may consist of a million escapes. */
function unescaped(text: string): string {
  const units = new Uint16Array(text.length);
  let length = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    const meant = unit === BACKSLASH ? escapes.get(text.charCodeAt(at + 1)) : undefined;
    if (meant !== undefined) at += 1;
    units[length] = meant ?? unit;
    length += 1;
  }
  return Buffer.from(units.buffer, 0, 2 * length).toString("utf16le");
}

/** Gives the TEXT values of a list without empty ones, at most `most`. */
export function readTexts(value: string, most: number): string[] {
  const texts: string[] = [];
  for (let from = 0; from <= value.length && texts.length < most; ) {
    const end = endOfItem(value, from);
    const text = readText(value.slice(from, end)).trim();
    if (text !== "") texts.push(text);
    from = end + 1;
  }
  return texts;
}

/** Finds the next comma that isn't escaped. */
function endOfItem(value: string, from: number): number {
  for (let at = from; at < value.length; at += 1) {
    const sign = value.charAt(at);
    if (sign === ",") return at;
    if (sign === "\\") at += 1;
  }
  return value.length;
}

/**
 * Gives a text as a TEXT value. The only control characters are tab and line ends, all as `
 * `.
 */
export function writeText(text: string): string {
  return writable(text).replace(/\\/g, "\\\\").replace(/;/g, "\\;").replace(/,/g, "\\,").replace(/\n/g, "\\n");
}

/** Gives a text as a value or parameter without line ends: a URI, a name. */
export function writeRaw(text: string): string {
  return writable(text).replaceAll("\n", " ").trim();
}

/** Gives a text as it reads after it was written. */
export function writable(text: string): string {
  return cleaned(text).replace(/\r\n?/g, "\n").replace(controls, "");
}

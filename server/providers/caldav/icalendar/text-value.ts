// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what no line of a calendar can hold (RFC 5545 §3.1, CONTROL)
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g;
const BACKSLASH = 0x5c;
const NEWLINE = 0x0a;
/** What a backslash and a code unit mean: a backslash, a semicolon, a comma, n and N. */
const escapes = new Map([
  [BACKSLASH, BACKSLASH],
  [0x3b, 0x3b],
  [0x2c, 0x2c],
  [0x6e, NEWLINE],
  [0x4e, NEWLINE],
]);

/** A text without what the database cannot keep: U+0000 and lone surrogates. */
export function cleaned(text: string): string {
  return text.replaceAll("\u0000", "").toWellFormed();
}

/** The text of a TEXT value (RFC 5545 §3.3.11). */
export function readText(value: string): string {
  const text = cleaned(value);
  return text.includes("\\") ? unescaped(text) : text;
}

/** One pass over the code units: a text may be nothing but escapes, a million of them. */
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

/** The TEXT values of a list, empty ones left out, at most `most`. */
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

/** Where the next comma is that no backslash stands before. */
function endOfItem(value: string, from: number): number {
  for (let at = from; at < value.length; at += 1) {
    const sign = value.charAt(at);
    if (sign === ",") return at;
    if (sign === "\\") at += 1;
  }
  return value.length;
}

/** A text as a TEXT value; of control characters only tab and line ends, all as `\n`. */
export function writeText(text: string): string {
  return writable(text).replace(/\\/g, "\\\\").replace(/;/g, "\\;").replace(/,/g, "\\,").replace(/\n/g, "\\n");
}

/** A text as a value or parameter that has no line ends: of an URI, a name. */
export function writeRaw(text: string): string {
  return writable(text).replaceAll("\n", " ").trim();
}

/** What can be read again of a text that was written. */
export function writable(text: string): string {
  return cleaned(text).replace(/\r\n?/g, "\n").replace(controls, "");
}

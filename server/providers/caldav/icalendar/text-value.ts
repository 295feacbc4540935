const loneSurrogates = /\p{Surrogate}/gu;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what no line of a calendar can hold (RFC 5545 §3.1, CONTROL)
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g;

/** A text without what the database cannot keep: U+0000 and lone surrogates. */
export function cleaned(text: string): string {
  return text.replaceAll("\u0000", "").replace(loneSurrogates, "\uFFFD");
}

/** The text of a TEXT value (RFC 5545 §3.3.11). */
export function readText(value: string): string {
  return cleaned(value.replace(/\\([\\;,nN])/g, (_, sign: string) => (/n/i.test(sign) ? "\n" : sign)));
}

/** The TEXT values of a list, empty ones left out. */
export function readTexts(value: string): string[] {
  const items = value.match(/(?:\\.|[^\\,])+/gs) ?? [];
  return items.map((item) => readText(item).trim()).filter((item) => item !== "");
}

/** A text as a TEXT value; of control characters only tab and line ends, all as `\n`. */
export function writeText(text: string): string {
  return writable(text)
    .replace(/[\\;,]/g, "\\$&")
    .replaceAll("\n", "\\n");
}

/** A text as a value or parameter that has no line ends: of an URI, a name. */
export function writeRaw(text: string): string {
  return writable(text).replaceAll("\n", " ").trim();
}

function writable(text: string): string {
  return cleaned(text).replace(/\r\n?/g, "\n").replace(controls, "");
}

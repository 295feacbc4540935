/** What Exchange puts around a body: samples of "Create event". */
const HEAD =
  '<html>\r\n<head>\r\n<meta http-equiv="Content-Type" content="text/html; charset=utf-8">\r\n</head>\r\n<body>\r\n';
const TAIL = "\r\n</body>\r\n</html>\r\n";
/** [K]: as long as the samples' longest. */
const PREVIEW = 255;

const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " };

/** The document that is stored for a body: always HTML. [K]: text is escaped line by line, scripts are left out. */
export function documentOf(contentType: string | null | undefined, content: string): string {
  const lines = content.replace(/\r?\n/g, "\r\n");
  if (contentType?.toLowerCase() === "html") {
    const safe = lines.replace(/<script\b[\s\S]*?<\/script\s*>/gi, "");
    return /<html[\s>]/i.test(safe) ? safe : `${HEAD}${safe}${TAIL}`;
  }
  if (lines === "") return `${HEAD}${TAIL}`;
  return `${HEAD}<div class="PlainText">${escaped(lines).replaceAll("\r\n", "<br>\r\n")}</div>${TAIL}`;
}

/** The document with more before its end. */
export function appended(html: string, more: string): string {
  const end = html.search(/<\/body\s*>/i);
  return end < 0 ? `${html}${more}` : `${html.slice(0, end)}${more}${html.slice(end)}`;
}

/** The document as text: Prefer: outlook.body-content-type="text". How Exchange breaks lines is [K]. */
export function textOf(html: string): string {
  return html
    .replace(/<head\b[\s\S]*?<\/head\s*>/gi, "")
    .replace(/\s*\r?\n\s*/g, " ")
    .replace(/<br\s*\/?>\s*/gi, "\r\n")
    .replace(/<\/(p|div|tr|li|h\d)\s*>\s*/gi, "\r\n")
    .replace(/<[^>]*>/g, "")
    .replace(/&(#x?[\da-f]+|\w+);/gi, (whole, name: string) => entityOf(name) ?? whole)
    .split("\r\n")
    .map((line) => line.trim())
    .join("\r\n")
    .replace(/(\r\n){3,}/g, "\r\n\r\n")
    .trim();
}

/** Field `bodyPreview`: "It is in text format." */
export const previewOf = (html: string) => textOf(html).slice(0, PREVIEW);

export function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function entityOf(name: string): string | undefined {
  if (!name.startsWith("#")) return entities[name.toLowerCase()];
  const isHex = /^#x/i.test(name);
  return String.fromCodePoint(Number.parseInt(name.slice(isHex ? 2 : 1), isHex ? 16 : 10));
}

import { parsedUrl } from "@/server/domain/net/parsed-url";
import { objectOf, textOf } from "@/server/providers/json-values";
import type { Item } from "@/server/providers/microsoft/item";
import { bodyOf } from "@/server/providers/microsoft/read-body";

/** `itemBody`. */
export interface WrittenBody {
  contentType: "text" | "html";
  content: string;
}

/** The line before and after what a meeting appends ("Create or set an event as an online meeting"). */
const RULE = /_{30,}/g;
/** Characters of tags around such a line. */
const LONGEST_OPENING = 2_000;
const CLOSING = /^(?:\s*<\/(?:span|div|p|b|i|font)\s*>)+(?:[ \t]*\r?\n)?/i;
const OPENING = /(?:<(?:span|div|p|b|i|font)\b[^<>]*>\s*)+$/i;

export function textBody(content: string): WrittenBody {
  return { contentType: "text", content };
}

/** Tells whether a body, read as text or as HTML, may hold what a meeting has appended. */
export function mayHoldMeeting(item: Item): boolean {
  const { text } = bodyOf(item);
  return item.isOnlineMeeting === true || objectOf(item.onlineMeeting).joinUrl !== undefined || /_{30,}/.test(text);
}

/**
 * Gives a document with another text in the place of its own, and what the meeting has appended as it is, byte by byte: "Inadvertently removing
 * the meeting blob from the body would disable meeting online" ("Update event").
 */
export function withText(item: Item, text: string): WrittenBody {
  const html = bodyOf(item).text;
  const blob = blobIn(html, item);
  if (!blob) return textBody(text);
  const { start, end } = contentRange(html);
  const own = text === "" ? "" : `<div>${escaped(text)}</div>\r\n`;
  return {
    contentType: "html",
    content: `${html.slice(0, start)}${own}${html.slice(blob.from, blob.to)}${html.slice(end)}`,
  };
}

/** Gives a document without what the meeting has appended. */
export function withoutBlob(item: Item): WrittenBody {
  const html = bodyOf(item).text;
  const blob = blobIn(html, item);
  return { contentType: "html", content: blob ? `${html.slice(0, blob.from)}${html.slice(blob.to)}` : html };
}

interface Range {
  from: number;
  to: number;
}

/** Finds what a meeting has appended: from one line to the next with the link between them, or the link alone. */
function blobIn(html: string, item: Item): Range | null {
  const link = linkIn(html, item);
  if (link === null) return null;
  const rules = [...html.matchAll(RULE)].map(({ index, 0: { length } }) => ({ from: index, to: index + length }));
  const before = rules.findLast(({ to }) => to <= link);
  const after = rules.find(({ from }) => from > link);
  if (!before) return anchorAt(html, link);
  const from =
    before.from - (OPENING.exec(html.slice(Math.max(0, before.from - LONGEST_OPENING), before.from))?.[0].length ?? 0);
  const last = after?.to ?? contentRange(html).end;
  return { from, to: last + (after ? (CLOSING.exec(html.slice(last, last + LONGEST_OPENING))?.[0].length ?? 0) : 0) };
}

/** Finds the link in the document. Returns null if it isn't there. */
function linkIn(html: string, item: Item): number | null {
  const url = textOf(objectOf(item.onlineMeeting).joinUrl) ?? textOf(item.onlineMeetingUrl);
  const forms = url === null ? [] : [url, url.replaceAll("&", "&amp;"), parsedUrl(url)?.href ?? url];
  const marks = [
    ...forms,
    "me-email-text",
    "https://teams.microsoft.com/l/meetup-join/",
    "https://teams.microsoft.com/meet/",
  ];
  const found = marks.map((mark) => html.indexOf(mark)).find((at) => at >= 0);
  return found ?? null;
}

function anchorAt(html: string, at: number): Range | null {
  const from = html.lastIndexOf("<a", at);
  const end = html.indexOf("</a>", at);
  return from < 0 || end < 0 || html.slice(from, at).includes(">") ? null : { from, to: end + 4 };
}

/** Finds what stands in the body of a document. */
function contentRange(html: string): { start: number; end: number } {
  const open = /<body\b[^>]*>(?:\r?\n)?/i.exec(html);
  const close = html.search(/<\/body\s*>/i);
  return { start: open ? open.index + open[0].length : 0, end: close < 0 ? html.length : close };
}

/** Writes text as a document says it. Spaces that follow one another are escaped, because they would count once. */
function escaped(text: string): string {
  const safe = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return safe.replace(/ (?= )|^ /gm, "&nbsp;").replace(/\r\n?|\n/g, "<br>\r\n");
}

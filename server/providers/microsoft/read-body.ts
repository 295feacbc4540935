import { objectOf, textOf } from "@/server/providers/json-values";
import { meetingLinkIn } from "@/server/providers/meeting-link";
import { htmlText } from "@/server/providers/microsoft/html-text";
import type { Item } from "@/server/providers/microsoft/item";

/** What a meeting appends to the body stands between two such lines ("Create or set an event as an online meeting"). */
const RULE = /^\s*_{30,}\s*$/;

/** Gives the body as it was sent. */
export function bodyOf({ body }: Item): { text: string; isHtml: boolean } {
  const { content, contentType } = objectOf(body);
  return { text: textOf(content) ?? "", isHtml: textOf(contentType)?.toLowerCase() === "html" };
}

/** Gives the body as plain text, without what the meeting has appended. */
export function descriptionOf(item: Item): string {
  const { text, isHtml } = bodyOf(item);
  const plain = (isHtml ? htmlText(text) : text).replace(/\r\n?/g, "\n");
  return withoutMeeting(plain, item).trimEnd();
}

function withoutMeeting(text: string, item: Item): string {
  if (!text.includes("_".repeat(30))) return text;
  const lines = text.split("\n");
  const rules = lines.flatMap((line, i) => (RULE.test(line) ? [i] : []));
  for (const [i, rule] of rules.entries()) {
    const end = rules[i + 1] ?? lines.length;
    if (!isMeeting(lines.slice(rule + 1, end).join(" "), item)) continue;
    return [...lines.slice(0, rule), ...lines.slice(end + 1)].join("\n");
  }
  return text;
}

/**
 * Reports whether a text is about a meeting of Microsoft's. Such a text names its service in all languages, and as text
 * it may have lost the link.
 */
function isMeeting(text: string, { isOnlineMeeting }: Item): boolean {
  const link = meetingLinkIn(text);
  if (link?.provider === "microsoft_teams" || link?.provider === "skype_for_business") return true;
  return isOnlineMeeting === true && /\b(?:Teams|Skype)\b/.test(text);
}

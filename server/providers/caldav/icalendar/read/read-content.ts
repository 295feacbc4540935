import type { EventContent } from "@/server/domain/events/event-content";
import { linkOf } from "@/server/domain/events/link";
import { cleaned } from "@/server/domain/text";
import { readMeetingLink } from "@/server/providers/caldav/icalendar/read/read-meeting-link";
import { readPeople } from "@/server/providers/caldav/icalendar/read/read-people";
import type { Component } from "@/server/providers/caldav/icalendar/text/calendar-object";
import { propertiesOf, propertyOf } from "@/server/providers/caldav/icalendar/text/content-line";
import { readText, readTexts } from "@/server/providers/caldav/icalendar/text/text-value";

/** More than any real event has. */
const MOST_CATEGORIES = 500;

/**
 * Reads the texts and people of a VEVENT. Missing properties have RFC 5545's defaults: opaque, public, confirmed.
 * @param ownAddresses the calendar owner's, in lower case
 */
export function readContent(component: Component, ownAddresses: readonly string[]): EventContent {
  const word = (name: string) => propertyOf(component, name)?.value.trim().toUpperCase();
  return {
    summary: textOf(component, "SUMMARY") ?? "",
    description: textOf(component, "DESCRIPTION") ?? "",
    location: textOf(component, "LOCATION"),
    url: linkOf(cleaned(propertyOf(component, "URL")?.value ?? "").trim()),
    transparency: word("TRANSP") === "TRANSPARENT" ? "transparent" : "opaque",
    private: ["PRIVATE", "CONFIDENTIAL"].includes(word("CLASS") ?? ""),
    status: { CANCELLED: "cancelled", TENTATIVE: "tentative" }[word("STATUS") ?? ""] ?? "confirmed",
    ...readPeople(component, ownAddresses),
    categories: categoriesOf(component),
    conferencing: readMeetingLink(component),
  };
}

function categoriesOf(component: Component): string[] {
  const found = new Set<string>();
  for (const { value } of propertiesOf(component, "CATEGORIES").slice(0, MOST_CATEGORIES)) {
    for (const text of readTexts(value, MOST_CATEGORIES)) if (found.size < MOST_CATEGORIES) found.add(text);
    if (found.size >= MOST_CATEGORIES) break;
  }
  return [...found];
}

function textOf(component: Component, name: string): string | null {
  return readText(propertyOf(component, name)?.value ?? "") || null;
}

import type { Component } from "@/server/providers/caldav/icalendar/calendar-object";
import { line, propertyOf, replaceLines } from "@/server/providers/caldav/icalendar/content-line";
import type { EventContent } from "@/server/providers/caldav/icalendar/read-content";
import { linkProperties } from "@/server/providers/caldav/icalendar/read-meeting-link";
import { writeRaw, writeText } from "@/server/providers/caldav/icalendar/text-value";

/**
 * Writes what an event says, but for its people; what is said already stays as it was written, with parameters and all.
 * @param before what the component says now; `isNew`: nobody else has said anything in it
 */
export function writeContent(
  component: Component,
  now: EventContent,
  { before, isNew }: { before: EventContent; isNew: boolean },
): void {
  const put = (name: string, value: string | null, stale: readonly string[] = []) =>
    replaceLines(component, [name, ...stale], value === null || value === "" ? [] : [line(name, value)]);
  if (now.summary !== before.summary) put("SUMMARY", writeText(now.summary));
  // The same text in another form, or the place's pin on a map, would say otherwise.
  if (now.description !== before.description) put("DESCRIPTION", writeText(now.description), ["X-ALT-DESC"]);
  if ((now.location || null) !== before.location) {
    put("LOCATION", writeText(now.location ?? ""), ["GEO", "X-APPLE-STRUCTURED-LOCATION"]);
  }
  if ((now.url || null) !== before.url) put("URL", writeRaw(now.url ?? ""));
  if (now.transparency !== before.transparency) put("TRANSP", now.transparency.toUpperCase());
  if (now.conferencing === null && before.conferencing !== null) replaceLines(component, linkProperties, []);
  if (!isNew) return; // no application can say the rest: it is the calendar's own
  if (now.private !== before.private) put("CLASS", now.private ? "PRIVATE" : null);
  if (now.status !== before.status || !propertyOf(component, "STATUS")) put("STATUS", now.status.toUpperCase());
  if (now.categories.join("\n") !== before.categories.join("\n")) {
    put("CATEGORIES", now.categories.map(writeText).join(","));
  }
}

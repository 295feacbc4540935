import type { EventContent } from "@/server/domain/events/event-content";
import { linkProperties } from "@/server/providers/caldav/icalendar/read/read-meeting-link";
import type { Component } from "@/server/providers/caldav/icalendar/text/calendar-object";
import { line, propertyOf, replaceLines } from "@/server/providers/caldav/icalendar/text/content-line";
import { writeRaw, writeText } from "@/server/providers/caldav/icalendar/text/text-value";

/**
 * Writes an event's content without its people. Equal values stay as they were written, with their parameters.
 * @param before the component's current content. `isNew`: nobody else has written it
 */
export function writeContent(
  component: Component,
  now: EventContent,
  { before, isNew }: { before: EventContent; isNew: boolean },
): void {
  const put = (name: string, value: string | null, stale: readonly string[] = []) =>
    replaceLines(component, [name, ...stale], value === null || value === "" ? [] : [line(name, value)]);
  if (now.summary !== before.summary) put("SUMMARY", writeText(now.summary));
  // The same text in another form, or the location's pin on a map, would contradict the new value.
  if (now.description !== before.description) put("DESCRIPTION", writeText(now.description), ["X-ALT-DESC"]);
  if ((now.location || null) !== before.location) {
    put("LOCATION", writeText(now.location ?? ""), ["GEO", "X-APPLE-STRUCTURED-LOCATION"]);
  }
  if ((now.url || null) !== before.url) put("URL", writeRaw(now.url ?? ""));
  if (now.transparency !== before.transparency) put("TRANSP", now.transparency.toUpperCase());
  if (now.conferencing === null && before.conferencing !== null) replaceLines(component, linkProperties, []);
  if (!isNew) return; // applications cannot write the rest, which belongs to the calendar
  if (now.private !== before.private) put("CLASS", now.private ? "PRIVATE" : null);
  if (now.status !== before.status || !propertyOf(component, "STATUS")) put("STATUS", now.status.toUpperCase());
  if (now.categories.join("\n") !== before.categories.join("\n")) {
    put("CATEGORIES", now.categories.map(writeText).join(","));
  }
}

import type { Conferencing } from "@/server/domain/events/conferencing";
import { cleaned } from "@/server/domain/text";
import type { Component } from "@/server/providers/caldav/icalendar/text/calendar-object";
import { propertiesOf } from "@/server/providers/caldav/icalendar/text/content-line";
import { readText } from "@/server/providers/caldav/icalendar/text/text-value";
import { addressesIn, meetingLinkIn, meetingServiceOf } from "@/server/providers/meeting-link";

/** Properties that contain only a meeting link: from RFC 7986 §5.11, and from vendors. */
export const linkProperties: readonly string[] = [
  "X-GOOGLE-CONFERENCE",
  "CONFERENCE",
  "X-MICROSOFT-SKYPETEAMSMEETINGURL",
  "X-MICROSOFT-ONLINEMEETINGEXTERNALLINK",
];

const texts = ["URL", "LOCATION", "DESCRIPTION"];
/** How many characters of a text are searched for a link, and how many properties of a name. */
const LOOKED_THROUGH = 100_000;
const MOST_PROPERTIES = 20;

/**
 * Gives the meeting link of an event: the value of a property for that purpose, otherwise the first address of a known meeting service in
 * URL, LOCATION and DESCRIPTION.
 */
export function readMeetingLink(component: Component): Conferencing {
  for (const { value } of linkProperties.flatMap((name) => propertiesOf(component, name, MOST_PROPERTIES))) {
    const [found] = addressesIn(cleaned(value.slice(0, LOOKED_THROUGH)));
    if (found !== undefined) return { provider: meetingServiceOf(found) ?? "other", join_url: found };
  }
  for (const { value } of texts.flatMap((name) => propertiesOf(component, name, MOST_PROPERTIES))) {
    const link = meetingLinkIn(readText(value.slice(0, LOOKED_THROUGH)));
    if (link) return link;
  }
  return null;
}

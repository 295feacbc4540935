import type { Conferencing, MeetingService } from "@/server/domain/events/conferencing";
import { parsedUrl } from "@/server/domain/net/parsed-url";
import type { Component } from "@/server/providers/caldav/icalendar/text/calendar-object";
import { propertiesOf } from "@/server/providers/caldav/icalendar/text/content-line";
import { cleaned, readText } from "@/server/providers/caldav/icalendar/text/text-value";

/** Properties that contain only a meeting link: from RFC 7986 §5.11, and from vendors. */
export const linkProperties: readonly string[] = [
  "X-GOOGLE-CONFERENCE",
  "CONFERENCE",
  "X-MICROSOFT-SKYPETEAMSMEETINGURL",
  "X-MICROSOFT-ONLINEMEETINGEXTERNALLINK",
];

interface Maker {
  provider: MeetingService;
  /** These hosts and their subdomains. */
  hosts: readonly string[];
  path: RegExp;
}

const makers: readonly Maker[] = [
  { provider: "google_meet", hosts: ["meet.google.com"], path: /^\/(?:lookup\/)?[a-z\d]+-?[a-z\d-]*$/i },
  {
    provider: "google_hangouts",
    hosts: ["hangouts.google.com", "plus.google.com"],
    path: /^\/(?:hangouts|call|start)\b/,
  },
  {
    provider: "microsoft_teams",
    hosts: ["teams.microsoft.com", "teams.microsoft.us"],
    path: /^\/(?:l\/meetup-join|meet)\//,
  },
  {
    provider: "microsoft_teams",
    hosts: ["teams.live.com", "teams.cloud.microsoft"],
    path: /^\/(?:l\/meetup-join|meet)\//,
  },
  { provider: "skype_for_business", hosts: ["lync.com"], path: /^\/.+\/.+/ },
  { provider: "skype", hosts: ["join.skype.com"], path: /^\/[\w-]+/ },
  { provider: "other", hosts: ["zoom.us", "zoomgov.com", "zoom.com"], path: /^\/(?:j|my|w|s|wc)\/.+/ },
  { provider: "other", hosts: ["webex.com"], path: /\/(?:meet|join|m|j\.php|wbxmjs)\b/ },
  { provider: "other", hosts: ["facetime.apple.com"], path: /^\/join\b/ },
  { provider: "other", hosts: ["gotomeeting.com", "meet.goto.com", "gotomeet.me"], path: /^\/(?:join\/)?[\w-]{3,}$/ },
  { provider: "other", hosts: ["meet.jit.si", "whereby.com", "8x8.vc", "chime.aws"], path: /^\/[\w-]{3,}/ },
  {
    provider: "other",
    hosts: ["v.ringcentral.com", "meetings.ringcentral.com", "bluejeans.com"],
    path: /^\/[\w-]{3,}/,
  },
];
const addresses = /https?:\/\/[^\s<>"'\\]+/gi;
const MOST_ADDRESSES = 200;
const texts = ["URL", "LOCATION", "DESCRIPTION"];
/** No meeting service has longer links. */
const LONGEST_ADDRESS = 2_048;
/** How many characters of a text are searched for a link, and how many properties of a name. */
const LOOKED_THROUGH = 100_000;
const MOST_PROPERTIES = 20;
/** Ends a sentence or a bracket around an address, and is not part of the address. */
const closing = new Set(")]}.,;:!?*_");

/**
 * The meeting link of an event: the value of a property for that purpose, otherwise the first address of a known meeting service in
 * URL, LOCATION and DESCRIPTION.
 */
export function readMeetingLink(component: Component): Conferencing {
  for (const { value } of linkProperties.flatMap((name) => propertiesOf(component, name, MOST_PROPERTIES))) {
    const [found] = addressesIn(cleaned(value.slice(0, LOOKED_THROUGH)));
    if (found !== undefined) return { provider: makerOf(found) ?? "other", join_url: found };
  }
  for (const { value } of texts.flatMap((name) => propertiesOf(component, name, MOST_PROPERTIES))) {
    for (const found of addressesIn(readText(value.slice(0, LOOKED_THROUGH)))) {
      const provider = makerOf(found);
      if (provider) return { provider, join_url: found };
    }
  }
  return null;
}

function addressesIn(text: string): string[] {
  const found: string[] = [];
  for (const [address] of text.matchAll(addresses)) {
    if (address.length <= LONGEST_ADDRESS) found.push(withoutClosing(address));
    if (found.length >= MOST_ADDRESSES) break;
  }
  return found;
}

function withoutClosing(address: string): string {
  let end = address.length;
  while (closing.has(address.charAt(end - 1))) end -= 1;
  return address.slice(0, end);
}

function makerOf(address: string): MeetingService | null {
  const url = parsedUrl(address);
  if (!url) return null;
  const { hostname, pathname } = url;
  const isOf = (host: string) => hostname === host || hostname.endsWith(`.${host}`);
  return makers.find(({ hosts, path }) => hosts.some(isOf) && path.test(pathname))?.provider ?? null;
}

import type { MeetingLink, MeetingService } from "@/server/domain/events/conferencing";
import { parsedUrl } from "@/server/domain/net/parsed-url";

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
/** No meeting service has longer links. */
const LONGEST_ADDRESS = 2_048;
/** Ends a sentence or a bracket around an address, and is not part of the address. */
const closing = new Set(")]}.,;:!?*_");

/** Determines who hosts the meeting at an address. Returns null if it is none of the known services. */
export function meetingServiceOf(address: string): MeetingService | null {
  const url = parsedUrl(address);
  if (!url) return null;
  const { hostname, pathname } = url;
  const isOf = (host: string) => hostname === host || hostname.endsWith(`.${host}`);
  return makers.find(({ hosts, path }) => hosts.some(isOf) && path.test(pathname))?.provider ?? null;
}

/** Gives the first address of a known meeting service in a text. */
export function meetingLinkIn(text: string): MeetingLink | null {
  for (const found of addressesIn(text)) {
    const provider = meetingServiceOf(found);
    if (provider) return { provider, join_url: found };
  }
  return null;
}

/** Gives the addresses in a text, without what closes a sentence or a bracket around them. */
export function addressesIn(text: string): string[] {
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

import type { Account } from "@/server/providers/caldav/account";
import type { Entry } from "@/server/providers/caldav/multistatus-reader";
import { isOfKnownSite } from "@/server/providers/caldav/site";
import { cal, child, dav } from "@/server/providers/caldav/xml";

/** What a server says that invites the guests of the events that it stores (RFC 6638 §2). */
const FEATURE = "calendar-auto-schedule";

interface HomeListing {
  home: string;
  headers: Headers;
  /** What is in it, with its resource types. */
  entries: readonly Entry[];
}

/**
 * Tells whether the server of a calendar home invites guests: it says so in its DAV header, or has an outbox for invitations. Of the listing's own
 * response if it has that header, otherwise of another one. Null: it says nothing of what it can do.
 */
export async function invitesGuests(
  account: Account,
  { home, headers, entries }: HomeListing,
): Promise<boolean | null> {
  if (isOfKnownSite(new URL(home).hostname) || entries.some(isOutbox)) return true;
  const features = headers.get("dav") ?? (await account.ask({ method: "OPTIONS", url: home })).headers.get("dav");
  return features === null
    ? null
    : features
        .toLowerCase()
        .split(/[\s,]+/)
        .includes(FEATURE);
}

function isOutbox({ props }: Entry): boolean {
  const type = props.get(dav("resourcetype"));
  return type !== undefined && child(type, cal("schedule-outbox")) !== undefined;
}

import { createHash } from "node:crypto";
import type { MeetingLink } from "@/server/domain/events/conferencing";
import { providerTraits } from "@/server/domain/providers";
import { egressFetch, endedBy } from "@/server/egress/fetch";
import type { Outside } from "@/server/egress/send";
import { atOrigin } from "@/server/providers/at-origin";
import type { Connector, Mailbox, MailboxAccess, OAuthSignIn } from "@/server/providers/connector";
import { googleApi } from "@/server/providers/google/api";
import { busyTime } from "@/server/providers/google/busy-time";
import { listCalendars, roomListing } from "@/server/providers/google/calendars";
import { changes, eventNow } from "@/server/providers/google/changes";
import { googleEndpoints } from "@/server/providers/google/endpoints";
import { googleOrganization } from "@/server/providers/google/organization";
import { conferencingOf, requestStatus } from "@/server/providers/google/read-content";
import { itemOf } from "@/server/providers/google/series-items";
import { googleSignIn, revokeGrant } from "@/server/providers/google/sign-in";
import { googleWatching, readGoogleHook } from "@/server/providers/google/watching";
import { googleWriting } from "@/server/providers/google/write";
import { organizationMailbox } from "@/server/providers/organization";
import { signInOf } from "@/server/providers/own-clients";
import { countedFetch } from "@/server/providers/request-counts";

export interface GoogleOptions {
  clientId: string;
  clientSecret: string;
  /** An origin in the place of Google's hosts, which is trusted. Null: Google's own. */
  origin: string | null;
  outside?: Outside;
  /** Milliseconds for one request. */
  deadlineMs?: number;
}

const DEADLINE_MS = 30_000;
const MOST_BYTES = 1024 * 1024;
/** "characters used in the ID are those used in base32hex encoding" (events.insert, id). */
const BASE32HEX = "0123456789abcdefghijklmnopqrstuv";

/** Connects calendars of Google accounts by the Calendar API v3 (ADR 33). */
export function googleConnector({
  clientId,
  clientSecret,
  origin,
  outside,
  deadlineMs = DEADLINE_MS,
}: GoogleOptions): Connector & { signIn: OAuthSignIn } {
  const trustedOrigins = origin === null ? [] : [origin];
  const fetch = atOrigin(egressFetch({ trustedOrigins, deadlineMs, mostBytes: MOST_BYTES }, outside), origin);
  const endpoints = googleEndpoints(origin);
  const signInFetch = countedFetch(fetch, "google", () => "sign_in");
  const client = { clientId, clientSecret, endpoints, fetch: signInFetch };
  const open = (access: MailboxAccess): Mailbox => {
    const api = googleApi(endedBy(fetch, access.signal), endpoints.calendar, access);
    const opened = organizationMailbox(access.credential);
    const { room = null } = opened ?? {};
    return {
      calendars: (syncToken) => (room ? Promise.resolve(roomListing(room)) : listCalendars(api, syncToken)),
      changes: (from) => changes(api, from),
      event: (event) => eventNow(api, event),
      busyTime: (asked) => busyTime(api, asked),
      ...googleWriting(api),
      meetingLink: async ({ calendarId, externalId }): Promise<MeetingLink | "pending" | "failed"> => {
        const item = await itemOf(api, calendarId, externalId);
        const link = item && conferencingOf(item);
        if (link) return "pending" in link ? "pending" : link;
        return item && requestStatus(item) === "pending" ? "pending" : "failed";
      },
      watch: googleWatching(api),
      // An organization's access is not the user's to end.
      ...(opened === null && { revoke: () => revokeGrant(client, access.credential) }),
    };
  };
  return {
    traits: providerTraits.google,
    signIn: signInOf({ clientId, clientSecret }, (own) => googleSignIn({ ...client, ...own })),
    open,
    nameOf: eventId,
    readHook: readGoogleHook,
    organization: googleOrganization({ endpoints, fetch, signInFetch }),
  };
}

/** Derives the id of the event that a row becomes, so that creating it twice makes one event. */
function eventId(eventRow: string): string {
  const bytes = createHash("sha256").update(eventRow).digest();
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  return (bits.match(/.{1,5}/g) ?? []).map((five) => BASE32HEX[Number.parseInt(five, 2)]).join("");
}

import { stableId, stableToken } from "@/server/http/openapi/examples/stable";

/** One request and the status of its response. Ids and secrets are those of `known`, provider names neutral tokens. */
export interface Example {
  operation: string;
  name: string;
  summary: string;
  /** Whose access token goes with it, or the application's credentials; the application calendar's token if omitted. */
  as?: "connected" | "compatibility" | "application" | "nobody";
  path?: Record<string, string>;
  query?: Record<string, string | number | string[]>;
  headers?: Record<string, string>;
  body?: Record<string, unknown>;
  form?: boolean;
  /** The example of `writeEvent` whose event it is about: a visitor of the documentation has to send it first. */
  needs?: string;
  /** The request itself is not what the document allows. */
  isMistake?: true;
  status: number;
}

/** What the examples call what exists before them: a test puts what it opened in its place. */
export const known = {
  clientId: "acme_scheduling",
  clientSecret: stableToken("", 0),
  compatibilityClientId: "acme_compatible",
  code: stableToken("", 1),
  redirectUri: "https://app.acme.io/callback",
  applicationCalendar: "room-42",
  calendarId: stableId("cal", 0),
  /** Whose calendar that is. */
  calendarAccountId: stableId("apc", 0),
  /** Of a connected account: the first can be written. */
  connectedCalendarId: stableId("cal", 1),
  readonlyCalendarId: stableId("cal", 2),
  /** Of a feed. */
  subscribedCalendarId: stableId("cal", 4),
  /** Whose calendars those are. */
  accountId: stableId("acc", 0),
  unknownAccountId: stableId("acc", 99),
  /** Of the connected account, and of the application calendar. */
  connectedProfileId: stableId("pro", 0),
  profileId: stableId("pro", 1),
  /** The first of each that a response contains. */
  channelId: stableId("chn", 0),
  triggerId: stableId("trg", 0),
  feedId: stableId("fed", 0),
  bookingId: stableId("bkg", 0),
  /** Nobody confirms it in time. */
  expiredBookingId: stableId("bkg", 2),
  changesCursor: stableToken("cursor", 0),
  connectedRefreshToken: stableToken("rt", 0),
  /** Of a user who consented to the same OAuth client elsewhere. */
  importedRefreshToken: stableToken("", 2),
  /** As responses first contain them. */
  eventUids: {
    standup: stableId("evt", 4),
    offsite: stableId("evt", 6),
    moved: stableId("evt", 7),
    series: stableId("evt", 9),
    invitation: stableId("evt", 10),
  },
};

export const credentials = { client_id: known.clientId, client_secret: known.clientSecret };

/** When the examples were recorded: a Monday, so that whole weeks lead from it to the current one. */
export const exampleTime = Date.UTC(2025, 5, 2, 8);

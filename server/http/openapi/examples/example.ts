import { stableId, stableToken } from "@/server/http/openapi/examples/stable";

/** One request and the status of its response. Ids and secrets are those of `known`, provider names neutral tokens. */
export interface Example {
  operation: string;
  name: string;
  summary: string;
  /** Whose access token goes with it; the application calendar's if omitted. */
  as?: "connected" | "compatibility" | "nobody";
  path?: Record<string, string>;
  query?: Record<string, string | string[]>;
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
  /** Of a connected account: the first can be written. */
  connectedCalendarId: stableId("cal", 1),
  readonlyCalendarId: stableId("cal", 2),
  /** The first of each that a response contains. */
  channelId: stableId("chn", 0),
  connectedRefreshToken: stableToken("rt", 0),
};

export const credentials = { client_id: known.clientId, client_secret: known.clientSecret };

/** When the examples were recorded: a Monday, so that whole weeks lead from it to the current one. */
export const exampleTime = Date.UTC(2025, 5, 2, 8);

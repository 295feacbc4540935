import { clientIdOf } from "@/server/demo/marks";
import type { FilledAccount } from "@/server/demo/month/accounts";
import type { PastRequest } from "@/server/demo/month/requests";
import { DAY_MS, HOUR_MS } from "@/server/demo/month/time";
import type { Random } from "@/server/demo/random";
import { formatInstant, type Instant } from "@/server/domain/time/instant";

type Call = Omit<PastRequest, "at" | "account" | "durationMs"> & { durationMs?: number };

/** Returns the request that an application makes about an account, with its response. */
export type Kind = (account: FilledAccount, when: { at: number; random: Random }) => Call;

const instant = (at: number) => formatInstant((Math.round(at / (HOUR_MS / 2)) * (HOUR_MS / 2)) as Instant);
const date = (at: number) => instant(at).slice(0, 10);

function calendarOf({ profiles }: FilledAccount): string {
  return profiles.flatMap(({ calendars }) => calendars)[0]?.id ?? "cal_000000000000000000000000";
}

const eventBody = (account: FilledAccount, at: number, random: Random) => ({
  ...{ event_id: `booking-${random.between(4_000, 4_900)}`, summary: "Follow-up", tzid: account.person.tzid },
  ...{ start: instant(at + 2 * DAY_MS), end: instant(at + 2 * DAY_MS + HOUR_MS) },
});

const writeEvent: Kind = (account, { at, random }) => ({
  ...{ method: "POST", path: `/v1/calendars/${calendarOf(account)}/events`, status: 202 },
  body: eventBody(account, at, random),
});

const deleteEvent: Kind = (account, { random }) => ({
  ...{ method: "DELETE", path: `/v1/calendars/${calendarOf(account)}/events`, status: 202 },
  body: { event_id: `booking-${random.between(4_000, 4_900)}` },
});

const freeBusy: Kind = (account, { at }) => ({
  ...{ method: "GET", path: "/v1/free_busy", status: 200 },
  search: new URLSearchParams({ tzid: account.person.tzid, from: date(at), to: date(at + 14 * DAY_MS) }).toString(),
  response: { pages: { current: 1, total: 1 }, free_busy: [] },
});

const listEvents: Kind = (account, { at }) => ({
  ...{ method: "GET", path: "/v1/events", status: 200 },
  search: new URLSearchParams({ tzid: account.person.tzid, from: date(at), include_managed: "true" }).toString(),
  response: { pages: { current: 1, total: 1 }, events: [] },
});

const listCalendars: Kind = () => ({ method: "GET", path: "/v1/calendars", status: 200, response: { calendars: [] } });

const refresh: Kind = (account) => ({
  ...{ method: "POST", path: "/oauth/token", status: 200 },
  body: { grant_type: "refresh_token", client_id: clientIdOf(account.application) },
  response: { token_type: "bearer", expires_in: 10_800, scope: "read_write", sub: account.id },
});

/** Successful requests; frequent ones are listed several times. */
export const usualCalls: readonly [Kind, ...Kind[]] = [
  ...([freeBusy, freeBusy, freeBusy, freeBusy, writeEvent, writeEvent, writeEvent] as const),
  ...([listEvents, listEvents, listCalendars, refresh, deleteEvent] as const),
];

function refusedCall(field: string, key: string, description: string) {
  return { status: 422, response: { errors: { [field]: [{ key, description }] } } };
}

const withoutSummary: Kind = (account, { at, random }) => {
  const { summary: _, ...body } = eventBody(account, at, random);
  const path = `/v1/calendars/${calendarOf(account)}/events`;
  return { method: "POST", path, body, ...refusedCall("summary", "errors.required", "summary is required") };
};

const endsFirst: Kind = (account, { at, random }) => {
  const body = eventBody(account, at, random);
  const path = `/v1/calendars/${calendarOf(account)}/events`;
  const refusal = refusedCall("end", "errors.invalid", "end must not be before start");
  return { method: "POST", path, body: { ...body, start: body.end, end: body.start }, ...refusal };
};

const unknownZone: Kind = () => ({
  ...{ method: "GET", path: "/v1/free_busy", search: "tzid=Europe%2FNowhere" },
  ...refusedCall("tzid", "errors.invalid", "tzid is not a known time zone"),
});

const localReceiver: Kind = () => ({
  ...{ method: "POST", path: "/v1/channels", body: { callback_url: "http://localhost:8080/hook" } },
  ...refusedCall("callback_url", "errors.invalid_callback_url", "callback_url must be an https URL"),
});

const gone: Kind = () => ({
  ...{ method: "POST", path: "/v1/calendars/cal_5f0c2d81a9b34e6677889900/events", status: 404 },
  body: { event_id: "booking-17" },
});

const readOnly: Kind = (account, { at, random }) => ({ ...writeEvent(account, { at, random }), status: 403 });

const usedCode: Kind = (account) => ({
  ...{ method: "POST", path: "/oauth/token", status: 400, response: { error: "invalid_grant" } },
  body: { grant_type: "authorization_code", client_id: clientIdOf(account.application) },
});

/** Requests that fail, as during the development of an application. */
export const mistakes: readonly [Kind, ...Kind[]] = [
  ...([withoutSummary, withoutSummary, withoutSummary, endsFirst, endsFirst, unknownZone, unknownZone] as const),
  ...([localReceiver, gone, readOnly, usedCode] as const),
];

/** Callers whose token has expired or never existed. */
export const unknownCallers: readonly [Call & { durationMs: number }, ...(Call & { durationMs: number })[]] = [
  { method: "GET", path: "/v1/events", status: 401, durationMs: 0.6 },
  { method: "GET", path: "/v1/free_busy", status: 401, durationMs: 0.5 },
  { method: "POST", path: "/v1/channels", status: 401, durationMs: 0.7 },
];

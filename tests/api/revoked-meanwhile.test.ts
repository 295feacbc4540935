import { describe, expect, it } from "vitest";
import { clock } from "@/server/clock";
import { db } from "@/server/db/client";
import { env } from "@/server/env";
import { refusalOf } from "@/server/http/responses";
import * as accounts from "@/server/http/routes/accounts";
import { deleteEvents } from "@/server/http/routes/batch";
import { createLinkToken } from "@/server/http/routes/connecting";
import * as feeds from "@/server/http/routes/feeds";
import * as notifications from "@/server/http/routes/notifications";
import * as reading from "@/server/http/routes/reading";
import * as receipts from "@/server/http/routes/receipts";
import type { Route, RouteInput } from "@/server/http/routes/route";
import * as sandbox from "@/server/http/routes/sandbox";
import * as subscriptions from "@/server/http/routes/subscriptions";
import * as writing from "@/server/http/routes/writing";
import { apiCaller } from "@/server/services/api";
import { authenticate } from "@/server/services/bearer";
import { sandboxChangeTypes } from "@/server/services/sandbox/change-shape";
import { bearerOfToken, readerOfToken } from "@/server/store/grants/bearer";
import { dayFromNow } from "./dates";
import { revoke } from "./grants";
import { type Opened, openCalendar } from "./service";

const DAY = dayFromNow(1);
const series = { rules: [{ frequency: "daily", count: 5 }] };
const event = { event_id: "1", summary: "Kept", start: DAY, end: dayFromNow(2), recurrence: series };

const NOTHING: RouteInput = {
  query: {},
  body: {},
  params: {},
  ifMatch: null,
  headers: new Headers(),
  carryOut: async (work) => {
    await work();
    return { status: 202, headers: {} };
  },
};
type Ids = Record<"calendarId" | "channelId" | "profileId", string>;
type Inputs = Record<string, (ids: Ids) => Partial<RouteInput>>;

/** A request to each route that would succeed, were the account not revoked. Each needs something of it. */
const inputs: Inputs = {
  listEvents: () => ({ query: { tzid: "Etc/UTC", include_managed: "1" } }),
  listFreeBusy: () => ({ query: { tzid: "Etc/UTC", include_managed: "1" } }),
  writeEvent: ({ calendarId }) => ({ params: { calendar_id: calendarId }, body: { ...event, summary: "Changed" } }),
  deleteEvent: ({ calendarId }) => ({ params: { calendar_id: calendarId }, body: { event_id: "1" } }),
  changeOccurrence: ({ calendarId }) => ({
    params: { calendar_id: calendarId },
    body: { event_id: "1", occurrence_date: DAY, summary: "Changed" },
  }),
  showProfileStatus: ({ profileId }) => ({ params: { profile_id: profileId } }),
  createFeed: ({ calendarId }) => ({ params: { calendar_id: calendarId }, body: { detail: "busy" } }),
  listFeeds: ({ calendarId }) => ({ params: { calendar_id: calendarId } }),
  deleteFeed: ({ calendarId }) => ({ params: { calendar_id: calendarId, feed_id: "fed_1" } }),
  deleteEvents: () => ({ body: { delete_all: true } }),
  showReceipt: ({ calendarId }) => ({ params: { calendar_id: calendarId, event_id: "1" } }),
  openChannel: () => ({ body: { callback_url: "https://hooks.acme.io/almanac" } }),
  testChannel: ({ channelId }) => ({ params: { channel_id: channelId } }),
  closeChannel: ({ channelId }) => ({ params: { channel_id: channelId } }),
  setDelivery: ({ channelId }) => ({ params: { channel_id: channelId } }),
  createSubscription: () => ({ body: { url: "https://calendars.acme.io/team.ics", name: "Team" } }),
  deleteSubscription: ({ calendarId }) => ({ params: { calendar_id: calendarId } }),
};

/** GET /v1/account is all in the look-up of the token: it was right when it was asked. */
const routes: Route[] = [
  accounts,
  notifications,
  reading,
  writing,
  receipts,
  subscriptions,
  feeds,
  { createLinkToken, deleteEvents },
]
  .flatMap((module) => Object.values(module) as Route[])
  .filter(({ id }) => id !== "showAccount");

/** A request that has passed the credential check, and is carried out only when it is told to. */
async function inFlight(opened: Opened, route: Route) {
  const { accessToken, calendarId, profileId } = opened;
  const { json } = await opened.post("/v1/channels", { callback_url: "https://hooks.acme.io/almanac" });
  const authorization = `Bearer ${accessToken}`;
  const now = clock().now();
  const lookUp = route.readsOccurrences ? readerOfToken : bearerOfToken;
  const bearer = await authenticate(db(), lookUp, { authorization, now });
  const nobody = async () => {};
  const api = apiCaller({
    ...{ db: db(), now, names: env().WIRE_NAMES, baseUrl: env().BASE_URL, callbackOrigins: [], bearer, client: null },
    sandbox: { isOn: true, refusesWrites: false, holdsWrites: false },
    limits: {
      ...{ beforeSecret: nobody, rightSecret: () => {}, wrongSecret: nobody },
      ...{ application: nobody, publicClient: nobody, registration: nobody },
    },
  });
  const ids = { calendarId, profileId, channelId: json.channel.channel_id };
  return (input: Partial<RouteInput> = inputs[route.id]?.(ids) ?? {}) => route.call(api, { ...NOTHING, ...input });
}

async function refusedWith(call: Promise<unknown>) {
  const [outcome] = await Promise.allSettled([call]);
  return outcome.status === "fulfilled" ? outcome.value : refusalOf(outcome.reason);
}

const signedOut = expect.objectContaining({ kind: "signed_out", error: "invalid_token" });

describe("a request in flight while its account is revoked", () => {
  it.each(routes.map((route) => [route.id, route] as const))("is signed out: %s", async (_, route) => {
    const opened = await openCalendar();
    await opened.write(event);
    const carryOut = await inFlight(opened, route);
    await revoke(opened.application, opened.accessToken);
    expect(await refusedWith(carryOut())).toEqual(signedOut);
  });

  it.each(sandboxChangeTypes)("is signed out in the sandbox too: %s", async (type) => {
    const opened = await openCalendar();
    await opened.write(event);
    const carryOut = await inFlight(opened, sandbox.changeInSandbox);
    const body = { ...sandboxBody(type, opened), type };
    await revoke(opened.application, opened.accessToken);
    expect(await refusedWith(carryOut({ body }))).toEqual(signedOut);
  });

  it("still gets its 404 where the account lives and has no such thing", async () => {
    const opened = await openCalendar();
    const write = await inFlight(opened, writing.writeEvent);
    expect(await refusedWith(write({ params: { calendar_id: "cal_x" }, body: event }))).toEqual({ kind: "not_found" });
    const close = await inFlight(opened, notifications.closeChannel);
    expect(await refusedWith(close({ params: { channel_id: "chn_x" } }))).toMatchObject({ kind: "unknown_channel" });
    const list = await inFlight(opened, reading.listEvents);
    const none = { query: { tzid: "Etc/UTC", calendar_ids: ["cal_x"] } };
    expect(JSON.stringify(await list(none))).toContain("events");
  });
});

function sandboxBody(type: string, { calendarId, accountId }: Opened): Record<string, unknown> {
  const calendar_id = calendarId;
  const content = { summary: "Others", start: DAY, end: dayFromNow(2) };
  switch (type) {
    case "event_created":
      return { calendar_id, event: content };
    case "event_changed":
      return { calendar_id, event_id: "1", event: content };
    case "guest_replied":
      return { calendar_id, event_id: "1", email: `${accountId}@example.com`, status: "accepted" };
    case "event_deleted":
    case "meeting_link_created":
      return { calendar_id, event_id: "1" };
    case "calendar_changed":
      return { calendar_id, calendar: { calendar_readonly: true } };
    case "calendar_deleted":
    case "calendar_restored":
      return { calendar_id };
    default:
      return {};
  }
}

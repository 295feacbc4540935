import { randomBytes, randomUUID } from "node:crypto";
import { db } from "@/server/db/client";
import { newId } from "@/server/db/new-id";
import { storeRequests } from "@/server/store/request-logs/request-logs";
import { changeAccount, storedAccount, storedCalendar } from "../../fakes/stored";
import { addChannels, addDeliveries } from "../../fakes/stored-deliveries";
import { addNote } from "../../fakes/stored-notes";
import { refuseWrites, storedWrite } from "../../fakes/stored-writes";
import { dayFromNow } from "../dates";
import { providerCalendar } from "../provider-calendar";
import type { Application } from "../service";
import { write } from "../written-series";

/** An application and one of each thing that belongs to it. */
export interface Owned {
  /** What calls the API for it. */
  client: Application;
  application: string;
  account: string;
  email: string;
  profile: string;
  calendar: string;
  event: string;
  /** The application's id for it. */
  eventId: string;
  write: string;
  feed: string;
  note: string;
  channel: string;
  /** Of the channel's endpoint. */
  host: string;
  delivery: string;
  replay: string;
  request: string;
  requestId: string;
}

const DAY = dayFromNow(3);

/** A new application with an account at a provider that refused a write, a channel whose delivery failed, and a request that was refused. */
export async function oneApplication(): Promise<Owned> {
  const { application: client, calendarId: calendar, ...calls } = await providerCalendar("icloud");
  const eventId = `planning-${randomBytes(6).toString("hex")}`;
  const times = { start: `${DAY}T09:00:00Z`, end: `${DAY}T10:00:00Z`, tzid: "Etc/UTC" };
  await write({ calendarId: calendar, ...calls }, { event_id: eventId, summary: "Planning", ...times });
  await refuseWrites(calendar, "gone");
  const { accountId: account, profileId: profile } = await storedCalendar(calendar);
  const { applicationId: application } = await storedAccount(account);
  const email = `${randomBytes(6).toString("hex")}@acme.io`;
  await changeAccount(account, { email });
  const host = `${randomBytes(6).toString("hex")}.acme.io`;
  const [channel = ""] = await addChannels(account, [{ callbackUrl: `https://${host}/hook` }]);
  const failed = { state: "failed", attempts: 1, lastError: "dns", host, finishedAt: new Date() } as const;
  const [delivery = ""] = await addDeliveries(channel, [failed]);
  await db().prisma.channel.update({
    where: { id: channel },
    data: { failing: true, failures: 5, failingSince: new Date() },
  });
  const replay = newId("rpl");
  const over = { state: "done", total: 1, dueAt: new Date(), createdAt: new Date(), finishedAt: new Date() } as const;
  await db().prisma.replay.create({ data: { id: replay, operatorId: "opr_none", filters: { application }, ...over } });
  const request = randomUUID();
  const requestId = `req_${randomBytes(12).toString("hex")}`;
  await storeRequests(db(), [
    {
      ...{ id: request, requestId, applicationId: application, accountId: account },
      ...{ at: new Date(Date.now() - 60_000), method: "POST", path: "/v1/channels", query: null, status: 422 },
      ...{ durationMs: 3, address: null, errorKeys: ["errors.required", `errors.of_${requestId}`], plan: "standard" },
      ...{ requestHeaders: {}, requestBody: null, responseHeaders: {}, responseBody: null },
    },
  ]);
  const counts = {
    requests: 2,
    clientErrors: 1,
    serverErrors: 0,
    throttled: 1,
    notStored: 1,
    applicationId: application,
  };
  // Before any request of these tests.
  const earlier = (ms: number) => new Date((Math.floor(Date.now() / ms) - 9) * ms);
  await db().prisma.requestCountByHour.create({ data: { hour: earlier(3_600_000), ...counts } });
  await db().prisma.requestCount.create({ data: { minute: earlier(60_000), ...counts } });
  const { id } = await storedWrite(calendar);
  const { id: event } = await db().prisma.event.findFirstOrThrow({ where: { calendarId: calendar, eventId } });
  const feed = (await calls.post(`/v1/calendars/${calendar}/feeds`, { detail: "busy" })).json.feed_id;
  return {
    client,
    application,
    account,
    email,
    profile,
    calendar,
    event,
    eventId,
    write: id,
    feed,
    note: await addNote(account),
    channel,
    host,
    delivery,
    replay,
    request,
    requestId,
  };
}

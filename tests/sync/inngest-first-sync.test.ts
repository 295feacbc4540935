import { beforeEach, expect, it } from "vitest";
import { provideEnv } from "@/server/env";
import { functions, inngestServer } from "@/server/jobs/background";
import { SERVE_PATH } from "@/server/jobs/client";
import { loopOf } from "@/server/jobs/work-kinds";
import { playRun } from "../fakes/inngest-run";
import { changeSync, setSyncDue } from "../fakes/stored";
import { fileEnvironment } from "./file-environment";
import { connectGooglePerson, google } from "./google-person";
import { ADA, BOB, timed } from "./google-scene";

const KEY = `signkey-test-${"0123456789abcdef".repeat(4)}`;

fileEnvironment(() => ({ LOG_LEVEL: "error" }));

beforeEach(() => {
  provideEnv({ INNGEST_EVENT_KEY: "a-key", INNGEST_SIGNING_KEY: KEY });
  return () => void provideEnv({ INNGEST_EVENT_KEY: "", INNGEST_SIGNING_KEY: "" });
});

function played(functionId: string, data: object) {
  const server = inngestServer();
  if (!server) throw new Error("no Inngest server is configured");
  const url = `http://almanac.localhost${SERVE_PATH}`;
  const [trigger] = functions.find(({ id }) => id === functionId)?.triggers ?? [];
  const event = { name: trigger && "event" in trigger && trigger.event, data };
  return playRun(server.handler, { url, key: KEY, functionId: `almanac-${functionId}`, event });
}

/** Ada, who has three calendars with one, two and three events, and whose first sync is due. */
async function connected() {
  const provider = await google({ accounts: [{ email: ADA }, { email: BOB }] });
  const account = provider.account(ADA);
  account.primary.putEvent({ summary: "One", ...timed(1) });
  for (const [id, count] of [
    ["two@group", 2],
    ["three@group", 3],
  ] as const) {
    account.addCalendar({ id, summary: id });
    for (let n = 0; n < count; n += 1) provider.calendar(id).putEvent({ summary: `Event ${n}`, ...timed(n + 1) });
  }
  const person = await connectGooglePerson(provider);
  await setSyncDue(person.profileId, new Date());
  return { provider, person };
}

type Step = { tally: Record<string, Record<string, number>>; isLeft: boolean };

it("a first sync is a run with a step for each calendar, and its result counts the events", async () => {
  const { person } = await connected();
  const run = played("sync-mailbox", { profile: person.profileId, provider: "google" });
  const end = await run.goOn();
  const steps = run.steps() as Step[];
  const events = steps.flatMap(({ tally }) => Object.entries(tally).filter(([id]) => id.startsWith("cal_")));
  expect(events.map(([, counts]) => counts.events).sort()).toEqual([1, 2, 3]);
  expect(steps.slice(0, 3).map(({ tally }) => Object.keys(tally).length)).toEqual([1, 1, 1]);
  expect(end).toMatchObject({
    state: "done",
    output: { tally: { [person.profileId]: { first_syncs: 1, synced: 1, events: 6 } } },
  });
  expect(await person.profile()).toMatchObject({ initial_sync_required: false, sync_error: null });
});

it("a run for a mailbox that another process reads waits for it, and reads nothing", async () => {
  const { provider, person } = await connected();
  const until = new Date(Date.now() + 3_000);
  await changeSync(person.profileId, { syncLease: "another", syncLeasedUntil: until, syncDueAt: null });
  const run = played("sync-mailbox", { profile: person.profileId, provider: "google" });
  expect(await run.goOn()).toMatchObject({ state: "done", output: { tally: {} } });
  expect(Date.now()).toBeGreaterThanOrEqual(until.getTime());
  expect(provider.requests.filter(({ path }) => path.includes("/events"))).toEqual([]);
});

it("a provider's run reads the mailboxes that are due, says why, and leaves first syncs alone", async () => {
  const { provider, person } = await connected();
  expect(await played("poll-mailboxes", { provider: "google" }).goOn()).toMatchObject({ output: { tally: {} } });
  await loopOf("sync").drain(60_000);
  provider.account(ADA).primary.putEvent({ summary: "Another", ...timed(4) });
  await setSyncDue(person.profileId, new Date());
  expect(await played("poll-mailboxes", { provider: "icloud" }).goOn()).toMatchObject({ output: { tally: {} } });
  const end = await played("poll-mailboxes", { provider: "google" }).goOn();
  expect(end).toMatchObject({ output: { tally: { [person.profileId]: { polls: 1, synced: 1, events: 1 } } } });
});

it("a run writes a provider's events", async () => {
  const { person } = await connected();
  await loopOf("sync").drain(60_000);
  const path = `/v1/calendars/${await person.calendarId(ADA)}/events`;
  await person.post(path, {
    event_id: "e1",
    summary: "Ours",
    start: "2027-01-04T10:00:00Z",
    end: "2027-01-04T11:00:00Z",
  });
  expect(await played("write-events", { provider: "google" }).goOn()).toMatchObject({
    output: { tally: { [person.profileId]: { first_attempts: 1, written: 1 } } },
  });
});

it.each([
  ["sync-mailbox", {}, "the event names no profile"],
  ["sync-mailbox", { profile: "a b" }, "the event's key is no id"],
  ["poll-mailboxes", { provider: { id: "google" } }, "the event's key is no id"],
  ["deliver-webhooks", { application: "x'; --" }, "the event's key is no id"],
])("an event of %s with %j is refused for good", async (functionId, data, error) => {
  expect(await played(functionId, data).goOn()).toEqual({ state: "failed", error });
});

it("an event for what does not exist does nothing", async () => {
  for (const [functionId, data] of [
    ["sync-mailbox", { profile: "pro_0", provider: "google" }],
    ["poll-mailboxes", { provider: "nobody" }],
    ["poll-mailboxes", { provider: "microsoft" }], // which is not configured
    ["write-events", { provider: "microsoft" }],
    ["write-events", { provider: "nobody" }],
    ["deliver-webhooks", { application: "app_0" }],
  ] as const) {
    const run = played(functionId, data);
    expect(await run.goOn()).toMatchObject({ state: "done", output: { tally: {} } });
    expect(run.steps()).toEqual([expect.objectContaining({ isLeft: false })]); // at once
  }
});

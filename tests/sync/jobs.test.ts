import { expect, it, onTestFinished } from "vitest";
import type { Work } from "@/server/db/wake";
import { background } from "@/server/jobs/background";
import { pushing, syncing } from "@/server/jobs/provider-work";
import { sweep } from "@/server/jobs/sweep";
import { runJobs } from "../api/jobs/run-jobs";
import { fakeClock } from "../fakes/clock";
import { otherClient } from "../fakes/other-client";
import { setSyncDue } from "../fakes/stored";
import { changeWrites } from "../fakes/stored-writes";
import { scene } from "./scene";
import { connectPerson, ours, vevent } from "./world";

const made = scene();

/** What asks for work in this process, until the test is over. */
function wakes(): { work: Work; afterMs: number }[] {
  const woken: { work: Work; afterMs: number }[] = [];
  globalThis.almanacWake = (work, afterMs) => woken.push({ work, afterMs });
  onTestFinished(() => {
    globalThis.almanacWake = undefined;
  });
  return woken;
}

it("events make the service read and write, and the next poll is asked for", async () => {
  const other = otherClient(await made.radicale.makeCalendar("Jobs"), made.radicale);
  await other.create("theirs", vevent("theirs"));
  const woken = wakes();
  const person = await connectPerson(made.radicale, made.radicale);
  expect(woken).toContainEqual({ work: "sync", afterMs: 0 });
  const jobs = await runJobs();
  await background().client.send({ name: "almanac/sync" });
  await jobs.settle();
  const calendarId = await person.calendarId("Jobs");
  expect(await person.events(calendarId)).toMatchObject([{ summary: "theirs" }]);
  const [next] = woken.filter(({ work, afterMs }) => work === "sync" && afterMs > 0);
  expect(next?.afterMs).toBeGreaterThan(50_000);
  expect(next?.afterMs).toBeLessThanOrEqual(60_000);
  await person.post(`/v1/calendars/${calendarId}/events`, ours("written"));
  expect(woken).toContainEqual({ work: "push", afterMs: 0 });
  await background().client.send({ name: "almanac/push" });
  await jobs.settle();
  expect((await other.list()).map(({ ics }) => /SUMMARY:(.*)/.exec(ics)?.[1])).toEqual(["Ours written", "theirs"]);
});

it("a sweep finds profiles and writes that nobody was woken for", async () => {
  const other = otherClient(await made.radicale.makeCalendar("Swept"), made.radicale);
  const person = await connectPerson(made.radicale, made.radicale);
  await person.sync();
  const calendarId = await person.calendarId("Swept");
  const clock = fakeClock();
  await person.post(`/v1/calendars/${calendarId}/events`, ours("forgotten"));
  await other.create("theirs", vevent("theirs"));
  expect(await sweep()).toMatchObject({ sync: false, push: false });
  const late = new Date(clock.now() - 3_000);
  await setSyncDue(person.profileId, late);
  await changeWrites(person.profileId, { dueAt: late });
  expect(await sweep()).toMatchObject({ sync: true, push: true });
  await Promise.all([syncing().drain(60_000), pushing().drain(60_000)]);
  expect(await other.list()).toHaveLength(2);
  expect(await person.events(calendarId)).toHaveLength(2);
  expect(await sweep()).toMatchObject({ sync: false, push: false });
});

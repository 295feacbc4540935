import { expect, it, onTestFinished } from "vitest";
import { context } from "@/server/context";
import type { Work } from "@/server/db/wake";
import { sweep } from "@/server/jobs/sweep";
import { loopOf } from "@/server/jobs/work-kinds";
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
  context.wake = (work, afterMs) => woken.push({ work, afterMs });
  onTestFinished(() => {
    context.wake = undefined;
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
  jobs.send({ name: "almanac/mailboxes.due" });
  await jobs.settle();
  const calendarId = await person.calendarId("Jobs");
  expect(await person.events(calendarId)).toMatchObject([{ summary: "theirs" }]);
  const [next] = woken.filter(({ work, afterMs }) => work === "sync" && afterMs > 0);
  expect(next?.afterMs).toBeGreaterThan(50_000);
  expect(next?.afterMs).toBeLessThanOrEqual(60_000);
  await person.post(`/v1/calendars/${calendarId}/events`, ours("written"));
  expect(woken).toContainEqual({ work: "push", afterMs: 0 });
  jobs.send({ name: "almanac/writes.due" });
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
  await Promise.all([loopOf("sync").drain(60_000), loopOf("push").drain(60_000)]);
  expect(await other.list()).toHaveLength(2);
  expect(await person.events(calendarId)).toHaveLength(2);
  expect(await sweep()).toMatchObject({ sync: false, push: false });
});

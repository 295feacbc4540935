import { expect, it, onTestFinished } from "vitest";
import { type FrontRequest, plain } from "../fakes/forward";
import { startICloudFront } from "../fakes/icloud-front";
import { otherClient } from "../fakes/other-client";
import { storedWrites } from "../fakes/stored-writes";
import { scene } from "./scene";
import { connectPerson, day, ours, type Person, vevent, watch } from "./world";

/** What a provider refuses for good is said by our reads no longer than until the next sync. */
const made = scene();

async function refusing(calendar: string) {
  const other = otherClient(await made.radicale.makeCalendar(calendar), made.radicale);
  await other.create("theirs", vevent("theirs"));
  const front = await startICloudFront(made.radicale.url);
  onTestFinished(() => front.close());
  const person = await connectPerson({ url: front.url, origins: [new URL(front.home).origin] }, made.radicale);
  await person.sync();
  const calendarId = await person.calendarId(calendar);
  const path = `/v1/calendars/${calendarId}/events`;
  const write = (event: object) => person.post(path, event);
  const remove = (eventId: string) => person.remove(path, { event_id: eventId });
  const refuse = (methods: string[]) => {
    front.behaviour.instead = ({ method }: FrontRequest) => (methods.includes(method) ? plain(403) : undefined);
  };
  const summaries = async () => (await person.events(calendarId)).map(({ summary }) => summary).sort();
  return { other, person, calendarId, front, write, remove, refuse, summaries };
}

/** The person's one refused write, as staff see it. */
async function refusal({ profileId }: Person) {
  const refused = (await storedWrites(profileId)).filter(({ refusedAt }) => refusedAt !== null);
  return refused.map(({ lastError, revertedAt }) => ({ error: lastError, undone: revertedAt !== null }));
}

it("an event that the provider does not take is gone after the next sync", async () => {
  const { person, write, refuse, summaries } = await refusing("Never taken");
  const { settled } = await watch(person, made.receiver);
  refuse(["PUT"]);
  await write(ours("never"));
  await person.push();
  expect((await person.profile()).due_in).toBeLessThanOrEqual(0);
  expect(await summaries()).toEqual(["Ours never", "theirs"]);
  expect(await settled()).toEqual([]);
  await person.sync();
  expect(await summaries()).toEqual(["theirs"]);
  expect(await settled()).toEqual(["change"]);
  expect(await refusal(person)).toEqual([{ error: "http_403", undone: true }]);
  await person.sync();
  expect(await settled()).toEqual(["change"]);
});

it("a change that it does not take is taken back", async () => {
  const { person, calendarId, write, refuse, summaries } = await refusing("Not changed");
  await write(ours("kept"));
  await person.push();
  await person.sync();
  const before = await person.events(calendarId);
  const { settled } = await watch(person, made.receiver);
  refuse(["PUT"]);
  await write(ours("kept", { summary: "Refused" }));
  await person.push();
  expect(await summaries()).toEqual(["Refused", "theirs"]);
  await person.sync();
  const after = await person.events(calendarId);
  const said = ({ updated: _, ...event }: { updated: string }) => event;
  expect(after.map(said)).toEqual(before.map(said));
  expect(await settled()).toEqual(["change"]);
  await person.sync();
  expect(await settled()).toEqual(["change"]);
});

it("a series whose other rule it does not take has the rule as the application said it before", async () => {
  const { person, calendarId, write, refuse } = await refusing("Not repeated");
  const daily = { rules: [{ frequency: "daily", count: 4 }] };
  await write(ours("series", { tzid: "Europe/Berlin", recurrence: daily }));
  await person.push();
  await person.sync();
  const { settled } = await watch(person, made.receiver);
  refuse(["PUT"]);
  await write(ours("series", { tzid: "Europe/Berlin", recurrence: { rules: [{ frequency: "weekly", count: 2 }] } }));
  await person.push();
  await person.sync();
  const events = (await person.events(calendarId)).filter(({ event_id }) => event_id === "series");
  expect(events.map(({ occurrence_date }) => occurrence_date)).toEqual([2, 3, 4, 5].map(day));
  expect(events[0]).toMatchObject({ recurrence: daily });
  expect(await settled()).toEqual(["change"]);
});

it("an event that it does not let go is there again", async () => {
  const { person, calendarId, write, remove, refuse, summaries } = await refusing("Not deleted");
  await write(ours("stays"));
  await person.push();
  await person.sync();
  const { settled } = await watch(person, made.receiver);
  refuse(["DELETE"]);
  await remove("stays");
  await person.push();
  expect(await summaries()).toEqual(["theirs"]);
  await person.sync();
  expect(await summaries()).toEqual(["Ours stays", "theirs"]);
  expect(await person.events(calendarId)).toContainEqual(expect.objectContaining({ event_id: "stays" }));
  expect(await settled()).toEqual(["change"]);
  refuse([]);
  await remove("stays");
  await person.push();
  await person.sync();
  expect(await summaries()).toEqual(["theirs"]);
  expect(await settled()).toEqual(["change"]);
});

it("what the application writes again after a refusal is kept, and comes to the provider", async () => {
  const { other, person, write, refuse, summaries } = await refusing("Tried again");
  const { settled } = await watch(person, made.receiver);
  refuse(["PUT"]);
  await write(ours("again"));
  await person.push();
  await write(ours("again", { summary: "Shorter" }));
  await person.sync();
  expect(await summaries()).toEqual(["Shorter", "theirs"]);
  refuse([]);
  await person.push();
  await person.sync();
  expect(await summaries()).toEqual(["Shorter", "theirs"]);
  expect((await other.find("Shorter"))?.ics).toContain("SUMMARY:Shorter");
  expect(await settled()).toEqual([]);
  expect(await refusal(person)).toEqual([]);
});

it("a refusal makes one sync look at everything, and none after it", async () => {
  const { front, person, write, refuse } = await refusing("Once only");
  refuse(["PUT"]);
  await write(ours("once"));
  await person.push();
  await person.sync();
  front.asked.length = 0;
  await person.sync();
  expect(front.asked.filter(({ method }) => method === "REPORT")).toEqual([]);
});

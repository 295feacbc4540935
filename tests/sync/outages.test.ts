import { expect, it, onTestFinished } from "vitest";
import { fakeClock } from "../fakes/clock";
import { plain } from "../fakes/forward";
import { startICloudFront } from "../fakes/icloud-front";
import { otherClient } from "../fakes/other-client";
import { startRadicale } from "../fakes/radicale";
import { dropAccount, storedProfiles } from "../fakes/stored";
import { livingEvents } from "../fakes/stored-events";
import { storedWrites } from "../fakes/stored-writes";
import { scene } from "./scene";
import { connectPerson, ours, type Person, POLL_MS, vevent, watch } from "./world";

const made = scene();
const POLL_S = POLL_MS / 1_000;

async function frontedPerson(calendar: string) {
  const other = otherClient(await made.radicale.makeCalendar(calendar), made.radicale);
  await other.create("first", vevent("first"));
  const front = await startICloudFront(made.radicale.url);
  onTestFinished(() => front.close());
  const place = { url: front.url, origins: [new URL(front.home).origin] };
  const person = await connectPerson(place, made.radicale);
  await person.sync();
  const calendarId = await person.calendarId(calendar);
  const summaries = async () => (await person.events(calendarId)).map(({ summary }) => summary).sort();
  return { other, front, person, calendarId, summaries };
}

it("a sync token that the server forgot: changes and deletions of that time are found, and nothing twice", async () => {
  const other = otherClient(await made.radicale.makeCalendar("Forgotten"), made.radicale);
  for (const name of ["stays", "goes", "changes"]) await other.create(name, vevent(name));
  const person = await connectPerson(made.radicale, made.radicale);
  await person.sync();
  const calendarId = await person.calendarId("Forgotten");
  const before = await rows(calendarId);
  const { settled } = await watch(person, made.receiver);
  await other.remove("/goes.ics");
  await other.change("/changes.ics", (ics) => ics.replace("SUMMARY:changes", "SUMMARY:changed"));
  await other.create("comes", vevent("comes"));
  await made.radicale.forgetTokens();
  await person.sync();
  const summaries = (await person.events(calendarId)).map(({ summary }) => summary).sort();
  expect(summaries).toEqual(["changed", "comes", "stays"]);
  expect(await settled()).toEqual(["change"]);
  const after = await rows(calendarId);
  expect(after.get("stays")).toEqual(before.get("stays"));
  expect(after.get("changed")?.id).toBe(before.get("changes")?.id);
});

it("a server that stops and starts: the profile stays connected, waits longer each time, and goes on where it was", async () => {
  const { other, front, person, summaries } = await frontedPerson("Stops");
  fakeClock();
  front.behaviour.instead = () => null;
  const waits: number[] = [];
  for (let failed = 0; failed < 3; failed += 1) {
    await person.sync();
    waits.push((await person.profile()).due_in ?? 0);
  }
  expect(waits).toEqual([POLL_S, 2 * POLL_S, 4 * POLL_S]);
  expect(await person.profile()).toMatchObject({ connected: true, sync_failures: 3, sync_error: "down" });
  await other.create("meanwhile", vevent("meanwhile"));
  front.behaviour.instead = () => undefined;
  await person.sync();
  expect(await summaries()).toEqual(["first", "meanwhile"]);
  const { due_in, ...profile } = await person.profile();
  expect(profile).toMatchObject({ connected: true, sync_failures: 0, sync_error: null });
  expect(due_in).toBeGreaterThan(POLL_S * 0.89);
  expect(due_in).toBeLessThan(POLL_S * 1.11);
});

it("a server that dies in the middle of an answer loses nothing", async () => {
  const { other, front, person, summaries } = await frontedPerson("Breaks off");
  await other.create("second", vevent("second"));
  front.behaviour.instead = ({ body }) => (body.includes("calendar-multiget") ? null : undefined);
  await person.sync();
  expect(await summaries()).toEqual(["first"]);
  expect(await person.profile()).toMatchObject({ connected: true, sync_error: "down" });
  front.behaviour.instead = () => undefined;
  await person.sync();
  expect(await summaries()).toEqual(["first", "second"]);
});

it("a server that asks for time is given it", async () => {
  const { front, person, calendarId } = await frontedPerson("Throttled");
  const clock = fakeClock();
  front.behaviour.instead = () => plain(503, { "retry-after": "600" });
  await person.sync();
  const { due_in, ...profile } = await person.profile();
  expect(profile).toMatchObject({ connected: true, sync_error: "throttled" });
  expect(due_in).toBe(600);
  await person.post(`/v1/calendars/${calendarId}/events`, ours("patient"));
  await person.push();
  const [write] = await storedWrites(person.profileId);
  expect(write?.dueAt).toEqual(new Date(clock.now() + 600_000));
});

it("one refusal of the password is not believed, and what follows it is synced", async () => {
  const { other, front, person, summaries } = await frontedPerson("Hiccup");
  const { settled } = await watch(person, made.receiver);
  fakeClock();
  front.behaviour.instead = () => plain(401, { "www-authenticate": 'Basic realm="x"' });
  await person.sync();
  const { due_in, ...profile } = await person.profile();
  expect(profile).toMatchObject({ connected: true, sync_error: "credentials_rejected" });
  expect(due_in).toBe(30);
  front.behaviour.instead = () => undefined;
  await other.create("after", vevent("after"));
  await person.sync();
  expect(await summaries()).toEqual(["after", "first"]);
  expect(await settled()).toEqual(["change"]);
});

it("403 and 500 for everything is not a lost password", async () => {
  const { front, person } = await frontedPerson("Refused");
  for (const status of [403, 500, 500, 403]) {
    front.behaviour.instead = () => plain(status);
    await person.sync();
  }
  expect(await person.profile()).toMatchObject({ connected: true, initial_sync_required: false });
});

it("a changed password: disconnected once and told once; connected again it has the same ids and goes on", async () => {
  const radicale = await startRadicale();
  onTestFinished(() => radicale.close());
  const before = otherClient(radicale.calendar, radicale);
  await before.create("theirs", vevent("theirs"));
  const person = await connectPerson(radicale, radicale);
  await person.sync();
  const calendarId = await person.calendarId("Personal");
  await person.post(`/v1/calendars/${calendarId}/events`, ours("ours"));
  await person.push();
  const { settled, forget } = await watch(person, made.receiver);
  const ids = await rows(calendarId);

  await radicale.changePassword("another-password");
  await person.post(`/v1/calendars/${calendarId}/events`, ours("while-away"));
  await person.push();
  expect(await connected(person)).toBe(true);
  await person.sync();
  await person.sync();
  await person.sync();
  expect(await connected(person)).toBe(false);
  expect(await settled()).toEqual(["profile_disconnected"]);
  await person.push();
  forget();

  const other = otherClient(radicale.calendar, radicale);
  await other.create("meanwhile", vevent("meanwhile"));
  const again = await person.connectAgain(radicale);
  expect(again).toMatchObject({ accountId: person.accountId, profileId: person.profileId });
  expect(await person.profile()).toMatchObject({ connected: true, sync_failures: 0, sync_error: null });
  await person.sync();
  await person.push();
  expect(await person.calendarId("Personal")).toBe(calendarId);
  const after = await rows(calendarId);
  for (const [summary, row] of ids) expect(after.get(summary)).toEqual(row);
  const theirs = (await other.list()).map(({ ics }) => /SUMMARY:(.*)/.exec(ics)?.[1]).sort();
  expect(theirs).toEqual(["Ours ours", "Ours while-away", "meanwhile", "theirs"]);
  expect((await person.events(calendarId)).map(({ summary }) => summary).sort()).toEqual(theirs);
  expect(await settled()).toEqual(["change"]);
});

it("an account that is revoked while it is synced ends quietly", async () => {
  const { other, front, person } = await frontedPerson("Revoked");
  await other.create("second", vevent("second"));
  front.behaviour.slowness = 300;
  const syncing = person.sync();
  await expect.poll(() => front.asked.at(-1)?.at).toBe("home");
  await dropAccount(person.accountId);
  await syncing;
  expect(await storedProfiles({ id: person.profileId })).toEqual([]);
});

async function connected(person: Person): Promise<boolean> {
  const { json } = await person.get("/v1/profiles");
  return json.profiles.find(({ profile_id }: { profile_id: string }) => profile_id === person.profileId)
    .profile_connected;
}

/** The stored events by their summaries. */
async function rows(calendarId: string) {
  const events = await livingEvents(calendarId);
  return new Map(events.map(({ id, summary, updatedAt }) => [summary, { id, updatedAt }]));
}

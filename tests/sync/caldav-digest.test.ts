import { afterAll, beforeAll, expect, it } from "vitest";
import { otherClient } from "../fakes/other-client";
import { type Sabre, startSabre } from "../fakes/sabre";
import { connectPerson, ours, vevent } from "./world";

/** Servers that let users sign in by Digest alone (RFC 7616), as Baikal does by default. */
let sabre: Sabre;
beforeAll(async () => {
  sabre = await startSabre();
}, 300_000);
afterAll(() => sabre?.close());

it("an account at sabre/dav is connected, read and written to", async () => {
  const other = otherClient(sabre.calendar, sabre);
  await other.create("theirs", vevent("theirs"));
  const person = await connectPerson(sabre, sabre);
  await person.sync();
  const calendarId = await person.calendarId("Personal");
  expect((await person.events(calendarId)).map(({ summary }) => summary)).toEqual(["theirs"]);
  await person.post(`/v1/calendars/${calendarId}/events`, ours("one"));
  await person.push();
  expect((await other.find("Ours one"))?.ics).toContain("SUMMARY:Ours one");
  await other.remove("theirs");
  await person.sync();
  expect((await person.events(calendarId)).map(({ summary }) => summary)).toEqual(["Ours one"]);
});

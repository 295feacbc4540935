import { describe, expect, it } from "vitest";
import { ADA, BOB, syncedMicrosoft } from "./microsoft-scene";
import { day, ours } from "./world";

const CAROL = "carol@example.com";
const invite = (...emails: string[]) => ({ attendees: { invite: emails.map((email) => ({ email })) } });
const silently = { notify_attendees: false };
const tzid = "Africa/Lagos";
const daily = { tzid, recurrence: { rules: [{ frequency: "daily", count: 4 }] } };

/** Ada's calendar with one event of the application's, and what is mailed from then on. */
async function written(body: object = {}, provider: "microsoft" | "outlook" = "microsoft") {
  const kind = provider === "outlook" ? ("personal" as const) : ("work" as const);
  const scene = await syncedMicrosoft({ provider, accounts: [{ email: ADA, name: "Ada", kind }, { email: BOB }] });
  await scene.person.post(scene.path, ours("one", body));
  await scene.person.push();
  scene.fake.outbox.length = 0;
  const event = () => scene.calendar.events()[0];
  const id = () => event()?.id ?? "";
  const write = (more: object) => scene.person.post(scene.path, ours("one", more));
  const listed = async () => (await scene.person.events(scene.calendarId))[0]?.attendees;
  return { ...scene, id, event, write, listed };
}

describe.each(["microsoft", "outlook"] as const)("guests who cannot be left unnotified (%s)", (provider) => {
  const refusal = { notify_attendees: [expect.objectContaining({ key: "errors.notify_attendees_unsupported" })] };

  it("make a silent write an error, of an event, a series, an occurrence and a deletion", async () => {
    const { person, path, write, fake } = await written({ ...daily, ...invite(BOB) }, provider);
    const occurrence = { event_id: "one", occurrence_date: day(3) };
    const refused = [
      await write({ ...daily, ...silently }),
      await write({ ...daily, ...silently, ...invite(CAROL) }),
      await write({ ...daily, ...silently, attendees: { remove: [{ email: BOB }] } }),
      await person.post(`${path}/occurrences`, { ...occurrence, summary: "Renamed", ...silently }),
      await person.remove(path, { ...occurrence, ...silently }),
      await person.remove(path, { event_id: "one", ...silently }),
      await person.post(path, ours("two", { ...silently, ...invite(BOB) })),
    ];
    for (const { status, json } of refused) expect([status, json.errors]).toEqual([422, refusal]);
    await person.push();
    expect(fake.outbox).toEqual([]);
  });

  it("are none of an event without guests, which may be written silently", async () => {
    const { person, path, write, calendar } = await written(daily, provider);
    expect((await write({ ...daily, ...silently, summary: "Renamed" })).status).toBe(202);
    expect((await person.remove(path, { event_id: "one", occurrence_date: day(3), ...silently })).status).toBe(202);
    await person.push();
    expect(calendar.events()).toMatchObject([{ subject: "Renamed" }]);
    expect((await person.remove(path, { event_id: "one", ...silently })).status).toBe(202);
    await person.push();
    expect(calendar.events()).toEqual([]);
  });
});

describe("guests at Microsoft", () => {
  it("that others have invited stay, and those that the application takes off go", async () => {
    const { fake, person, write, event, calendar, id, listed } = await written(invite(BOB, CAROL));
    calendar.forward(id(), { address: "dave@example.com" });
    await write({
      attendees: { invite: [{ email: "eve@example.com", display_name: "Eve" }], remove: [{ email: BOB }] },
    });
    await person.push();
    expect(event()?.attendees).toMatchObject([
      { emailAddress: { address: CAROL } },
      { emailAddress: { address: "dave@example.com" }, type: "optional" },
      { emailAddress: { address: "eve@example.com", name: "Eve" }, status: { response: "none" } },
    ]);
    expect(Object.fromEntries(fake.outbox.map(({ to, kind }) => [to, kind]))).toEqual({
      ...{ [BOB]: "cancellation", "eve@example.com": "invitation" },
    });
    await person.sync();
    expect(await listed()).toMatchObject([
      { email: CAROL },
      { email: "dave@example.com" },
      { email: "eve@example.com", display_name: "Eve", status: "needs_action" },
    ]);
  });

  it("keep their replies while the application writes the event", async () => {
    const { person, write, calendar, id, listed } = await written(invite(BOB, CAROL));
    calendar.reply(id(), BOB, "tentativelyAccepted");
    await write({ summary: "Renamed", ...invite("eve@example.com") });
    await person.push();
    await person.sync();
    expect(await listed()).toMatchObject([{ email: BOB, status: "tentative" }, { email: CAROL }, {}]);
  });

  it("are asked again when the event is moved", async () => {
    const { person, write, calendar, id, listed } = await written(invite(BOB));
    calendar.reply(id(), BOB, "accepted");
    await person.sync();
    expect(await listed()).toMatchObject([{ email: BOB, status: "accepted" }]);
    await write({ start: `${day(3)}T14:00:00Z`, end: `${day(3)}T15:00:00Z` });
    await person.push();
    await person.sync();
    expect(await listed()).toMatchObject([{ email: BOB, status: "needs_action" }]);
  });

  it("of a series are invited to its changed occurrences, too, and leave them", async () => {
    const { person, write, calendar, id } = await written({ ...daily, ...invite(BOB) });
    calendar.reply(calendar.occurrenceId(id(), day(3)), BOB, "declined");
    const emails = () =>
      calendar.event(calendar.occurrenceId(id(), day(3)))?.attendees?.map(({ emailAddress }) => emailAddress?.address);
    await write({ tzid, ...invite(CAROL) });
    await person.push();
    expect(emails()).toEqual([BOB, CAROL]);
    await write({ tzid, attendees: { remove: [{ email: CAROL }] } });
    await person.push();
    expect(emails()).toEqual([BOB]);
  });

  it("are told that the event, or one occurrence of it, is cancelled", async () => {
    const { fake, person, path, calendar } = await written({ ...daily, ...invite(BOB) });
    await person.remove(path, { event_id: "one", occurrence_date: day(3) });
    await person.push();
    expect(fake.outbox).toMatchObject([{ to: BOB, kind: "cancellation", occurrence: day(3) }]);
    fake.outbox.length = 0;
    await person.remove(path, { event_id: "one" });
    await person.push();
    expect(fake.outbox).toMatchObject([{ to: BOB, kind: "cancellation" }]);
    expect(calendar.events()).toEqual([]);
  });
});

import type { Event } from "@microsoft/microsoft-graph-types";
import { describe, expect, it } from "vitest";
import { eventName } from "@/server/providers/microsoft/event-name";
import { at, eventState, guest, writingToMicrosoft } from "./microsoft-writing";

const BOB = "bob@example.com";

describe("a new event at Microsoft", () => {
  it("is written with one request, and says everything", async () => {
    const { push, shown, asked, notes, id } = await writingToMicrosoft();
    const state = eventState({
      description: "Bring\n\nthe <plan> & more",
      location: "Room 4",
      url: "https://acme.io/1",
      transparency: "transparent",
      attendees: [{ ...guest(BOB), display_name: "Bob" }],
    });
    const written = await push(state);
    expect(asked()).toEqual(["POST events"]);
    expect(written).toMatchObject({ kind: "done", state: { ...state, organizer: { email: "ada@example.com" } } });
    expect(shown()).toMatchObject({
      subject: "Planning",
      location: { displayName: "Room 4" },
      showAs: "free",
      originalStartTimeZone: "Romance Standard Time",
      start: { dateTime: "2027-03-01T08:00:00.0000000" },
      attendees: [{ type: "required", emailAddress: { address: BOB, name: "Bob" } }],
    });
    expect(notes).toEqual([{ externalId: id(), part: null, version: written.kind === "done" ? written.version : "" }]);
  });

  it("is one event when the response was lost", async () => {
    const { push, calendar, fake, row } = await writingToMicrosoft();
    fake.faults.next({ method: "POST", path: /events$/, breakConnection: true, afterWork: true });
    await expect(push(eventState())).rejects.toMatchObject({ fault: { kind: "down" } });
    await push(eventState());
    expect(calendar.events()).toMatchObject([{ subject: "Planning", transactionId: eventName(row) }]);
  });

  it.each(["returned", "refused"] as const)(
    "is one event when it was changed after a lost response (%s)",
    async (how) => {
      const { push, calendar, fake } = await writingToMicrosoft({ knobs: { repeatedTransaction: how } });
      fake.faults.next({ method: "POST", path: /events$/, breakConnection: true, afterWork: true });
      await expect(push(eventState())).rejects.toMatchObject({ fault: { kind: "down" } });
      await push(eventState({ summary: "Planning again" }));
      expect(calendar.events()).toMatchObject([{ subject: "Planning again" }]);
    },
  );

  it("comes again when others have deleted it", async () => {
    const { push, calendar, id } = await writingToMicrosoft();
    await push(eventState());
    calendar.deleteEvent(id());
    expect(await push(eventState({ summary: "Once more" }))).toMatchObject({ kind: "done" });
    expect(calendar.events()).toMatchObject([{ subject: "Once more" }]);
    await push(eventState({ summary: "Twice more" }), { externalId: null, version: null });
    expect(calendar.events()).toMatchObject([{ subject: "Twice more" }]);
  });

  it("is refused with Graph's reason", async () => {
    const { push, fake } = await writingToMicrosoft();
    fake.faults.next({ method: "POST", respond: "accessDenied" });
    expect(await push(eventState())).toEqual({ kind: "refused", reason: "http_403_ErrorAccessDenied" });
  });
});

describe("times at Microsoft", () => {
  it.each([
    ["Africa/Lagos", "W. Central Africa Standard Time"],
    ["America/Chihuahua", "Central America Standard Time"],
    ["Asia/Calcutta", "India Standard Time"],
    ["Antarctica/Troll", "UTC"],
  ])("have the name that Windows has for %s", async (tzid, shownAs) => {
    const { push, shown, read, id } = await writingToMicrosoft();
    await push(eventState({ tzid }));
    expect(shown()?.originalStartTimeZone).toBe(shownAs);
    expect((await read(id())).state.span).toEqual(eventState().span);
  });

  it("are right in the hour that the clocks show twice", async () => {
    const { push, read, id } = await writingToMicrosoft();
    const span = { starts: at("2027-10-31T01:30:00Z"), ends: at("2027-10-31T02:30:00Z"), allDay: false };
    await push(eventState({ span }));
    expect((await read(id())).state.span).toEqual(span);
  });

  it("are midnights of an all-day event, also when it becomes one", async () => {
    const { push, shown, read, id, asked } = await writingToMicrosoft();
    await push(eventState());
    asked();
    const span = { starts: at("2027-03-01T00:00:00Z"), ends: at("2027-03-03T00:00:00Z"), allDay: true };
    await push(eventState({ span, tzid: "Pacific/Apia" }));
    expect(asked()).toEqual(["GET events/…", "PATCH events/…"]);
    expect(shown()).toMatchObject({ isAllDay: true, start: { dateTime: "2027-03-01T00:00:00.0000000" } });
    expect((await read(id())).state.span).toEqual(span);
    await push(eventState({ span, tzid: "Pacific/Apia" }));
    expect(asked()).toEqual(["GET events/…", "GET events/…"]);
  });
});

describe("a changed event at Microsoft", () => {
  it("takes two requests, of which the second says what changed", async () => {
    const { push, asked, fake, notes } = await writingToMicrosoft();
    await push(eventState());
    asked();
    fake.requests.length = 0;
    const written = await push(eventState({ summary: "Review" }));
    const [, patch] = fake.requests;
    expect(JSON.parse(patch?.body ?? "")).toEqual({ subject: "Review" });
    expect(patch?.ifMatch).toMatch(/^W\//);
    expect(asked()).toEqual(["GET events/…", "PATCH events/…"]);
    expect(notes.at(-1)).toMatchObject({ part: null, version: written.kind === "done" ? written.version : "" });
  });

  it("keeps what others own", async () => {
    const { push, calendar, shown, id } = await writingToMicrosoft();
    await push(eventState({ attendees: [guest(BOB)], location: "Room 4" }));
    const locations = [{ displayName: "Room 4" }, { displayName: "Room 5" }];
    const own = {
      categories: ["Red"],
      reminderMinutesBeforeStart: 5,
      sensitivity: "private",
      importance: "high",
    } satisfies Event;
    calendar.changeEvent(id(), { ...own, locations, showAs: "oof" });
    calendar.reply(id(), BOB, "accepted");
    calendar.forward(id(), { address: "carol@example.com" });
    const state = eventState({ attendees: [guest(BOB)], location: "Room 4", summary: "Review" });
    await push(state, { changedFields: ["summary"] });
    expect(shown()).toMatchObject({
      ...{ ...own, showAs: "oof", subject: "Review", locations },
      attendees: [
        { emailAddress: { address: BOB }, status: { response: "accepted" } },
        { emailAddress: { address: "carol@example.com" } },
      ],
    });
  });

  it("keeps the fields that others have changed and the application has not", async () => {
    const { push, calendar, shown, id } = await writingToMicrosoft();
    await push(eventState());
    calendar.changeEvent(id(), { subject: "Theirs" });
    const written = await push(eventState({ location: "Room 4" }), { changedFields: ["location"] });
    expect(written).toMatchObject({ tookRemote: true, state: { summary: "Theirs", location: "Room 4" } });
    expect(shown()).toMatchObject({ subject: "Theirs", location: { displayName: "Room 4" } });
  });

  it("is read again when others change it between the read and the write", async () => {
    const { push, calendar, fake, shown, id } = await writingToMicrosoft();
    await push(eventState());
    const run = () => calendar.changeEvent(id(), { location: { displayName: "Theirs" } });
    fake.faults.next({ method: "PATCH", run });
    const written = await push(eventState({ summary: "Ours" }), { changedFields: ["summary"] });
    expect(written).toMatchObject({ tookRemote: true });
    expect(shown()).toMatchObject({ subject: "Ours", location: { displayName: "Theirs" } });
  });

  it("is a conflict when others change it each time", async () => {
    const { push, calendar, fake, id } = await writingToMicrosoft();
    await push(eventState());
    fake.faults.next({ method: "PATCH", times: 3, run: () => calendar.rewriteChangeKey(id()) });
    await expect(push(eventState({ summary: "Ours" }))).rejects.toMatchObject({ fault: { kind: "conflict" } });
  });

  it("is no news when Exchange has only rewritten its change key", async () => {
    const { push, fake } = await writingToMicrosoft({ knobs: { changeKeySettles: 1_000 } });
    await push(eventState({ description: "two  spaces\n\n\nand lines" }));
    fake.advance(2_000);
    const written = await push(eventState({ description: "two  spaces\n\n\nand lines", location: "Room 4" }), {
      changedFields: ["location"],
    });
    expect(written).not.toHaveProperty("tookRemote");
  });

  it("says nothing where nothing has changed", async () => {
    const { push, asked } = await writingToMicrosoft();
    const state = eventState({ description: "a  b\n\n\n\n c", summary: "x".repeat(300), url: "https://acme.io" });
    await push(state);
    asked();
    expect(await push(state)).toMatchObject({ state: { description: state.description, summary: state.summary } });
    expect(asked()).toEqual(["GET events/…"]);
  });

  it("keeps its url until it has another, or none", async () => {
    const { push, read, id } = await writingToMicrosoft();
    await push(eventState({ url: "app://1" }));
    await push(eventState({ url: "app://1", summary: "Review" }));
    expect((await read(id())).state.url).toBe("app://1");
    await push(eventState({ url: "app://2" }));
    expect((await read(id())).state.url).toBe("app://2");
    const written = await push(eventState());
    expect(written).toMatchObject({ state: { url: null } });
    expect((await read(id())).state.url).toBeNull();
  });

  it("of somebody else's meeting is refused where it would be for the guests", async () => {
    const { push, calendar, shown } = await writingToMicrosoft();
    const berlin = "W. Europe Standard Time";
    const theirs = calendar.putEvent({
      ...{ subject: "Theirs", organizer: { emailAddress: { address: BOB } } },
      start: { dateTime: "2027-03-01T09:00:00", timeZone: berlin },
      end: { dateTime: "2027-03-01T10:00:00", timeZone: berlin },
    });
    const state = eventState({ tzid: "Europe/Berlin" });
    expect(await push(state, { externalId: theirs })).toMatchObject({ kind: "done" });
    expect(shown()).toMatchObject({ subject: "Planning" });
    expect(await push({ ...state, attendees: [guest("carol@example.com")] })).toEqual({
      ...{ kind: "refused", reason: "not_organizer" },
    });
  });
});

describe("a deleted event at Microsoft", () => {
  it("is cancelled for its guests, and may be gone", async () => {
    const { push, calendar, fake, asked } = await writingToMicrosoft();
    await push(eventState({ attendees: [guest(BOB)] }));
    asked();
    fake.outbox.length = 0;
    expect(await push(null)).toMatchObject({ kind: "done", state: null });
    expect(asked()).toEqual(["DELETE events/…"]);
    expect(calendar.events()).toEqual([]);
    expect(fake.outbox).toMatchObject([{ to: BOB, kind: "cancellation" }]);
    expect(await push(null)).toMatchObject({ kind: "done", state: null });
  });

  it("is found when the response to its creation was lost", async () => {
    const { push, calendar, fake } = await writingToMicrosoft();
    fake.faults.next({ method: "POST", breakConnection: true, afterWork: true });
    await expect(push(eventState())).rejects.toMatchObject({ fault: { kind: "down" } });
    await push(null);
    expect(calendar.events()).toEqual([]);
  });
});

describe("guests at Microsoft", () => {
  it("are invited and removed one by one, and keep their replies", async () => {
    const { push, calendar, fake, shown, id } = await writingToMicrosoft();
    await push(eventState({ attendees: [guest(BOB), guest("carol@example.com")] }));
    calendar.reply(id(), BOB, "tentativelyAccepted");
    fake.outbox.length = 0;
    const attendees = [guest(BOB), guest("dan@example.com")];
    await push(eventState({ attendees }), { removedGuests: ["carol@example.com"] });
    expect(fake.outbox.map(({ to, kind }) => [to, kind]).sort()).toEqual([
      ["carol@example.com", "cancellation"],
      ["dan@example.com", "invitation"],
    ]);
    expect(shown()?.attendees).toMatchObject([
      { emailAddress: { address: BOB }, status: { response: "tentativelyAccepted" } },
      { emailAddress: { address: "dan@example.com" }, status: { response: "none" } },
    ]);
  });

  it("with an address of Exchange's own stay", async () => {
    const { push, calendar, shown, id } = await writingToMicrosoft();
    await push(eventState());
    const emailAddress = { name: "Legacy", address: "/o=Acme/ou=Exchange/cn=Recipients/cn=legacy" };
    calendar.changeEvent(id(), { attendees: [{ type: "optional", emailAddress }] });
    await push(eventState({ attendees: [guest(BOB)] }));
    expect(shown()?.attendees).toMatchObject([{ type: "optional", emailAddress }, { emailAddress: { address: BOB } }]);
  });

  it("are asked again when the time changes", async () => {
    const { push, calendar, id } = await writingToMicrosoft();
    await push(eventState({ attendees: [guest(BOB)] }));
    calendar.reply(id(), BOB, "accepted");
    const span = { starts: at("2027-03-02T08:00:00Z"), ends: at("2027-03-02T09:00:00Z"), allDay: false };
    const written = await push(eventState({ span, attendees: [{ ...guest(BOB), status: "accepted" }] }));
    expect(written).toMatchObject({ state: { attendees: [{ email: BOB, status: "needs_action" }] } });
  });
});

import type { Client } from "@microsoft/microsoft-graph-client";
import type { Event } from "@microsoft/microsoft-graph-types";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CalendarState } from "../../fakes/microsoft/calendar-state";
import type { MicrosoftFake } from "../../fakes/microsoft/microsoft";
import { adaOfMicrosoft, failure, guest, meeting, weekly } from "./microsoft-client";

let microsoft: MicrosoftFake;
let api: Client;
let state: CalendarState;

beforeEach(async () => {
  ({ microsoft, api, state } = await adaOfMicrosoft());
});
afterEach(() => microsoft.close());

const bob = "bob@example.com";
const zoe = "zoe@elsewhere.test";
const post = (event: Event): Promise<Event> => api.api("/me/events").post(event);
const patch = (id: string | undefined, changes: Event): Promise<Event> => api.api(`/me/events/${id}`).patch(changes);
const get = (id: string | undefined): Promise<Event> => api.api(`/me/events/${id}`).get();
const responses = ({ attendees }: Event) =>
  attendees?.map(({ emailAddress, status }) => [emailAddress?.address, status?.response]);

/** What was mailed since the last time. */
function mails(): string[] {
  return microsoft.outbox.splice(0).map(({ kind, to, occurrence }) => [kind, to, occurrence].filter(Boolean).join(" "));
}

/** Ada's event with Bob, of which the invitations are out. */
async function withBob(more: Event = {}): Promise<string> {
  const { id = "" } = await post(meeting({ attendees: [guest(bob)], ...more }));
  mails();
  return id;
}

describe("what the organizer does is mailed, and there is no way to keep Graph from it", () => {
  it("a new event invites everybody", async () => {
    await post(meeting({ attendees: [guest(bob), guest(zoe)] }));
    expect(mails()).toEqual([`invitation ${bob}`, `invitation ${zoe}`]);
  });

  it("a change goes to everybody", async () => {
    const id = await withBob();
    await patch(id, { subject: "Review" });
    expect(mails()).toEqual([`update ${bob}`]);
  });

  it("a change of the guests alone goes to those who come and go", async () => {
    const id = await withBob();
    await patch(id, { attendees: [guest(bob), guest(zoe)] });
    expect(mails()).toEqual([`invitation ${zoe}`]);
    await patch(id, { attendees: [guest(zoe)] });
    expect(mails()).toEqual([`cancellation ${bob}`]);
  });

  it("a change of what is the organizer's own goes to nobody", async () => {
    const id = await withBob();
    await patch(id, { categories: ["Red category"], isReminderOn: false, reminderMinutesBeforeStart: 5 });
    await patch(id, {
      singleValueExtendedProperties: [{ id: "String {66f5a359-4659-4830-9070-00047ec6ac6e} Name url", value: "x" }],
    });
    expect(mails()).toEqual([]);
  });

  it("a deletion and a cancellation go to everybody", async () => {
    await api.api(`/me/events/${await withBob()}`).delete();
    expect(mails()).toEqual([`cancellation ${bob}`]);
    await api.api(`/me/events/${await withBob()}/cancel`).post({ comment: "All hands" });
    expect(microsoft.outbox).toMatchObject([{ kind: "cancellation", to: bob, comment: "All hands" }]);
    expect(microsoft.requests.at(-1)?.status).toBe(202);
    expect(state.events()).toEqual([]);
  });

  it("a change of an occurrence says which one", async () => {
    const { id = "" } = await post(weekly({ attendees: [guest(bob)] }));
    mails();
    await patch(state.occurrenceId(id, "2027-03-08"), { subject: "Special" });
    await api.api(`/me/events/${state.occurrenceId(id, "2027-03-15")}`).delete();
    await api.api(`/me/events/${state.occurrenceId(id, "2027-03-22")}/cancel`).post({});
    expect(mails()).toEqual([
      `update ${bob} 2027-03-08`,
      `cancellation ${bob} 2027-03-15`,
      `cancellation ${bob} 2027-03-22`,
    ]);
  });

  it("a change of a series is mailed for each exception as well", async () => {
    const { id = "" } = await post(weekly({ attendees: [guest(bob)] }));
    await patch(state.occurrenceId(id, "2027-03-08"), { subject: "Special" });
    mails();
    await patch(id, { location: { displayName: "Room 1" } });
    expect(mails()).toEqual([`update ${bob}`, `update ${bob} 2027-03-08`]);
  });
});

describe("the list of guests", () => {
  it("is written as a whole, and has everybody's response and type", async () => {
    const { attendees } = await post(
      meeting({ attendees: [{ ...guest(bob), type: "optional" }, { emailAddress: { address: zoe } }] }),
    );
    expect(attendees).toEqual([
      {
        type: "optional",
        status: { response: "none", time: "0001-01-01T00:00:00Z" },
        emailAddress: { name: bob, address: bob },
      },
      {
        type: "required",
        status: { response: "none", time: "0001-01-01T00:00:00Z" },
        emailAddress: { name: zoe, address: zoe },
      },
    ]);
  });

  it("keeps responses by address, whatever its case, and takes none from the client", async () => {
    const id = await withBob();
    state.reply(id, bob, "accepted");
    const written = { ...guest("BOB@example.com"), status: { response: "declined" as const } };
    expect(responses(await patch(id, { attendees: [written, guest(zoe)] }))).toEqual([
      ["BOB@example.com", "accepted"],
      [zoe, "none"],
    ]);
  });

  it("asks everybody again when the time changes, and not when the subject does", async () => {
    const id = await withBob();
    state.reply(id, bob, "accepted");
    expect(responses(await patch(id, { subject: "Review" }))).toEqual([[bob, "accepted"]]);
    const { start, end } = meeting({ end: { dateTime: "2027-03-01T11:00:00", timeZone: "W. Europe Standard Time" } });
    expect(responses(await patch(id, { start, end }))).toEqual([[bob, "none"]]);
  });

  it("of an occurrence differs from its series'", async () => {
    const { id = "" } = await post(weekly({ attendees: [guest(bob)] }));
    const changed = await patch(state.occurrenceId(id, "2027-03-08"), { attendees: [guest(bob), guest(zoe)] });
    expect(changed.attendees).toHaveLength(2);
    expect((await get(id)).attendees).toHaveLength(1);
  });

  it("grows when a guest forwards the invitation", async () => {
    const id = await withBob();
    const before = await get(id);
    state.forward(id, { address: zoe, name: "Zoe" });
    const after = await get(id);
    expect(responses(after)).toEqual([
      [bob, "none"],
      [zoe, "none"],
    ]);
    expect(after.changeKey).not.toBe(before.changeKey);
    expect(mails()).toEqual([]);
  });

  it("takes addresses of Exchange, and refuses what is no address", async () => {
    const exchange = "/o=ExchangeLabs/ou=Exchange Administrative Group/cn=Recipients/cn=0123456789ab-Bob";
    const id = state.putEvent(meeting({ attendees: [guest(exchange)] }));
    expect((await get(id)).attendees?.[0]?.emailAddress?.address).toBe(exchange);
    expect((await patch(id, { attendees: [guest(exchange), guest(bob)] })).attendees).toHaveLength(2);
    expect(await failure(post(meeting({ attendees: [guest("nobody")] })))).toEqual({
      status: 400,
      code: "ErrorInvalidRecipients",
    });
  });

  it("has at most 500", async () => {
    const many = (count: number) => Array.from({ length: count }, (_, index) => guest(`guest${index}@example.com`));
    expect((await post(meeting({ attendees: many(500) }))).attendees).toHaveLength(500);
    expect(await failure(post(meeting({ attendees: many(501) })))).toMatchObject({ status: 400 });
  });
});

describe("an invitation from somebody else", () => {
  const invitation: Event = {
    ...meeting({ attendees: [guest("ada@example.com")], showAs: "tentative" }),
    organizer: { emailAddress: { name: "Zoe", address: zoe } },
    responseStatus: { response: "notResponded", time: "0001-01-01T00:00:00Z" },
  };

  it("is not organized by the user, who has not responded", async () => {
    const id = state.putEvent(invitation);
    expect(await get(id)).toMatchObject({
      isOrganizer: false,
      organizer: { emailAddress: { address: zoe } },
      responseStatus: { response: "notResponded" },
      showAs: "tentative",
    });
  });

  it.each([
    ["accept", "accepted", "busy"],
    ["tentativelyAccept", "tentativelyAccepted", "tentative"],
  ])("is answered by %s, which the organizer is told", async (action, response, showAs) => {
    const id = state.putEvent(invitation);
    await api.api(`/me/events/${id}/${action}`).post({ comment: "Fine" });
    expect(microsoft.requests.at(-1)?.status).toBe(202);
    expect(await get(id)).toMatchObject({ responseStatus: { response }, showAs });
    expect(microsoft.outbox).toMatchObject([{ kind: response, to: zoe, from: "ada@example.com", comment: "Fine" }]);
  });

  it("leaves the calendar when it is declined, or stays if the fake is told so", async () => {
    await api.api(`/me/events/${state.putEvent(invitation)}/decline`).post({});
    expect(state.events()).toEqual([]);
    microsoft.knobs.declinedStay = true;
    const id = state.putEvent(invitation);
    await api.api(`/me/events/${id}/decline`).post({});
    expect(await get(id)).toMatchObject({ responseStatus: { response: "declined" } });
    expect(mails()).toEqual([`declined ${zoe}`, `declined ${zoe}`]);
  });

  it("is answered in silence with sendResponse false", async () => {
    await api.api(`/me/events/${state.putEvent(invitation)}/accept`).post({ sendResponse: false });
    expect(mails()).toEqual([]);
  });

  it("to a series is answered for one occurrence alone", async () => {
    const id = state.putEvent({ ...weekly(), ...invitation, recurrence: weekly().recurrence ?? null });
    await api.api(`/me/events/${state.occurrenceId(id, "2027-03-08")}/accept`).post({});
    expect(await get(state.occurrenceId(id, "2027-03-08"))).toMatchObject({ responseStatus: { response: "accepted" } });
    expect(await get(id)).toMatchObject({ responseStatus: { response: "notResponded" } });
    await api.api(`/me/events/${state.occurrenceId(id, "2027-03-15")}/decline`).post({});
    expect(state.deviations(id).cancelled).toEqual(["2027-03-15"]);
  });

  it("is changed and deleted by a guest without anybody being told", async () => {
    const id = state.putEvent(invitation);
    expect(await patch(id, { subject: "Mine" })).toMatchObject({ subject: "Mine" });
    await api.api(`/me/events/${id}`).delete();
    expect(mails()).toEqual([]);
  });

  it("stays when the organizer cancels it, and says so", async () => {
    const id = state.putEvent(invitation);
    state.cancelByOrganizer(id);
    expect(await get(id)).toMatchObject({ isCancelled: true, subject: "Canceled: Planning", showAs: "free" });
  });

  it("cannot be cancelled by a guest, nor answered by the organizer", async () => {
    const refused = { status: 400, code: "ErrorInvalidRequest" };
    expect(await failure(api.api(`/me/events/${state.putEvent(invitation)}/cancel`).post({}))).toEqual(refused);
    expect(await failure(api.api(`/me/events/${await withBob()}/accept`).post({}))).toEqual(refused);
  });
});

it("what others do sends no mails from here", () => {
  const id = state.putEvent(weekly({ attendees: [guest(bob)] }));
  state.deleteOccurrence(id, "2027-03-08");
  state.deleteEvent(id);
  expect(mails()).toEqual([]);
  expect(() => state.reply(id, bob, "accepted")).toThrow(/no event/);
});

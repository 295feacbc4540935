import type { Client } from "@microsoft/microsoft-graph-client";
import type { Calendar } from "@microsoft/microsoft-graph-types";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { MicrosoftFake } from "../../fakes/microsoft/microsoft";
import { adaOfMicrosoft, everyPage, failure, graphClient, type Listed, meeting } from "./microsoft-client";

let microsoft: MicrosoftFake;
let api: Client;

beforeEach(async () => {
  ({ microsoft, api } = await adaOfMicrosoft());
});
afterEach(() => microsoft.close());

const ada = () => microsoft.account("ada@example.com");
const calendars = async (client = api): Promise<Calendar[]> => (await client.api("/me/calendars").get()).value;
const named = async (name: string) => (await calendars()).find((one) => one.name === name);

describe("GET /me", () => {
  it("is the user, with the object id of the tenant", async () => {
    const { oid: id } = ada();
    expect(await api.api("/me").get()).toMatchObject({ id, displayName: "Ada Lovelace", mail: "ada@example.com" });
  });

  it("of Outlook.com has an id of 16 digits, and no mail", async () => {
    const user = await graphClient(microsoft, "eve@outlook.test").api("/me").select("id,mail").get();
    expect(user).toEqual({
      "@odata.context": expect.any(String),
      id: expect.stringMatching(/^[0-9a-f]{16}$/),
      mail: null,
    });
  });

  it("is the same at users/{id} and users/{address}, and nobody else's", async () => {
    const { oid } = ada();
    expect((await api.api(`/users/${oid}`).get()).id).toBe(oid);
    expect((await api.api("/users/ada@example.com").get()).id).toBe(oid);
    expect(await failure(api.api("/users/bob@example.com").get())).toEqual({ status: 403, code: "ErrorAccessDenied" });
  });

  it("has the zone of the mailbox by its Windows name", async () => {
    expect(await api.api("/me/mailboxSettings").get()).toMatchObject({ timeZone: "W. Europe Standard Time" });
  });
});

describe("the list of calendars", () => {
  it("begins with the default calendar", async () => {
    expect(await calendars()).toMatchObject([
      {
        name: "Calendar",
        isDefaultCalendar: true,
        canEdit: true,
        color: "auto",
        hexColor: "",
        allowedOnlineMeetingProviders: ["teamsForBusiness"],
        defaultOnlineMeetingProvider: "teamsForBusiness",
        owner: { name: "Ada Lovelace", address: "ada@example.com" },
      },
    ]);
  });

  it("allows no online meetings to accounts of Outlook.com", async () => {
    const [calendar] = await calendars(graphClient(microsoft, "eve@outlook.test"));
    expect(calendar).toMatchObject({ allowedOnlineMeetingProviders: [], defaultOnlineMeetingProvider: "unknown" });
  });

  it("comes in pages of ten, or as many as $top says", async () => {
    for (let number = 1; number <= 11; number += 1) ada().addCalendar({ name: `Calendar ${number}` });
    const first: Listed<Calendar> = await api.api("/me/calendars").get();
    expect(first.value).toHaveLength(10);
    expect((await everyPage(api, "/me/calendars")).rows).toHaveLength(12);
    microsoft.requests.length = 0;
    expect((await everyPage(api, "/me/calendars?$top=5")).rows).toHaveLength(12);
    expect(microsoft.requests).toHaveLength(3);
  });

  it("comes in the smallest pages if the fake is told so, and with an empty one first", async () => {
    ada().addCalendar({ name: "Second" });
    Object.assign(microsoft.knobs, { pageSize: 1, emptyPages: true });
    expect((await everyPage(api, "/me/calendars?$top=50")).rows).toHaveLength(2);
    expect(microsoft.requests).toHaveLength(3);
  });

  it("shows colors, and what the owner changes", async () => {
    const id = ada().addCalendar({ name: "Team", color: "lightTeal", hexColor: "#4a7ba6" });
    expect(await named("Team")).toMatchObject({ color: "lightTeal", hexColor: "#4a7ba6" });
    ada().changeCalendar(id, { name: "Crew" });
    expect(await named("Crew")).toMatchObject({ id });
  });

  it("has shared calendars with their owner, and whether they can be edited", async () => {
    ada().addSharedCalendar({ name: "Bob's", owner: "bob@example.com" });
    ada().addSharedCalendar({ name: "Team", owner: "lead@example.com", canEdit: true });
    expect(await named("Bob's")).toMatchObject({
      canEdit: false,
      canShare: false,
      owner: { address: "bob@example.com" },
    });
    expect(await named("Team")).toMatchObject({
      canEdit: true,
      isDefaultCalendar: false,
      owner: { address: "lead@example.com" },
    });
  });

  it("loses what is no longer shared", async () => {
    const id = ada().addSharedCalendar({ name: "Bob's", owner: "bob@example.com" });
    ada().removeCalendar(id);
    expect(await named("Bob's")).toBeUndefined();
    expect(await failure(api.api(`/me/calendars/${id}/events`).get())).toEqual({
      status: 404,
      code: "ErrorItemNotFound",
    });
  });

  it("has the fields that $select names, and refuses others", async () => {
    const { value } = await api.api("/me/calendars").select("name,canEdit").get();
    expect(value).toEqual([{ id: expect.any(String), name: "Calendar", canEdit: true }]);
    expect(await failure(api.api("/me/calendars").select("nonsense").get())).toMatchObject({ status: 400 });
  });

  it("is 404 without a mailbox", async () => {
    ada().removeMailbox();
    expect(await failure(api.api("/me/calendars").get())).toEqual({ status: 404, code: "MailboxNotEnabledForRESTAPI" });
    expect(await failure(api.api("/me/events").get())).toEqual({ status: 404, code: "MailboxNotEnabledForRESTAPI" });
  });
});

describe("a calendar", () => {
  it("is found by its id, and as the default one", async () => {
    const { id } = ada().primary;
    expect(await api.api(`/me/calendars/${id}`).get()).toMatchObject({ id, name: "Calendar" });
    expect(await api.api("/me/calendar").get()).toMatchObject({ id });
  });

  it("gets another name and color, and another change key", async () => {
    const id = ada().addCalendar({ name: "Team" });
    const before = await api.api(`/me/calendars/${id}`).get();
    const after = await api.api(`/me/calendars/${id}`).patch({ name: "Crew", color: "lightRed" });
    expect(after).toMatchObject({ name: "Crew", color: "lightRed" });
    expect(after.changeKey).not.toBe(before.changeKey);
    expect(await failure(api.api(`/me/calendars/${id}`).patch({ color: "mauve" }))).toMatchObject({ status: 400 });
  });

  it("that cannot be edited takes no events and no changes", async () => {
    const id = ada().addSharedCalendar({ name: "Bob's", owner: "bob@example.com" });
    const event = microsoft.calendar(id).putEvent(meeting());
    const denied = { status: 403, code: "ErrorAccessDenied" };
    expect(await failure(api.api(`/me/calendars/${id}/events`).post(meeting()))).toEqual(denied);
    expect(await failure(api.api(`/me/calendars/${id}/events/${event}`).patch({ subject: "Mine" }))).toEqual(denied);
    expect(await failure(api.api(`/me/calendars/${id}/events/${event}`).delete())).toEqual(denied);
    ada().setEditable(id, true);
    expect(await api.api(`/me/calendars/${id}/events/${event}`).patch({ subject: "Mine" })).toMatchObject({
      subject: "Mine",
    });
  });

  it("that is shared has its events, which the own mailbox does not", async () => {
    const id = ada().addSharedCalendar({ name: "Bob's", owner: "bob@example.com" });
    const event = microsoft.calendar(id).putEvent(meeting());
    expect(await api.api(`/me/calendars/${id}/events/${event}`).get()).toMatchObject({
      isOrganizer: true,
      organizer: { emailAddress: { address: "bob@example.com" } },
    });
    expect(await failure(api.api(`/me/events/${event}`).get())).toEqual({ status: 404, code: "ErrorItemNotFound" });
    expect((await api.api("/me/events").get()).value).toEqual([]);
  });

  it("that is shared hides private details", async () => {
    const id = ada().addSharedCalendar({ name: "Bob's", owner: "bob@example.com" });
    const event = microsoft
      .calendar(id)
      .putEvent(meeting({ sensitivity: "private", location: { displayName: "Clinic" } }));
    expect(await api.api(`/me/calendars/${id}/events/${event}`).get()).toMatchObject({
      subject: "Private Appointment",
      location: { displayName: "" },
      sensitivity: "private",
    });
  });
});

it("paths that Graph does not have are 404, and a broken escape too", async () => {
  expect(await failure(api.api("/me/nonsense").get())).toMatchObject({ status: 404 });
  const headers = { authorization: `Bearer ${microsoft.accessToken("ada@example.com")}` };
  expect((await fetch(`${microsoft.origin}/v1.0/me/events/%E0%A4%A`, { headers })).status).toBe(404);
  expect((await fetch(`${microsoft.origin}/nonsense`)).status).toBe(404);
});

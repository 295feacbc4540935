import type { Event } from "@microsoft/microsoft-graph-types";
import { describe, expect, it } from "vitest";
import { EVENT_ID_PROPERTY, MEETING_PROPERTY, NO_MEETING, URL_PROPERTY } from "@/server/providers/microsoft/properties";
import { contentOf } from "@/server/providers/microsoft/read-content";
import { ADA, adaAtMicrosoft } from "./microsoft-ada";

const time = (clock: string) => ({ dateTime: `2027-03-01T${clock}`, timeZone: "UTC" });
const hour = { start: time("09:00:00"), end: time("10:00:00") };
const person = (address: string, name = address) => ({ emailAddress: { address, name } });
const join = "https://teams.microsoft.com/l/meetup-join/19%3ameeting_abc%40thread.v2/0";

async function stateOf(event: Event) {
  const { calendar, read } = await adaAtMicrosoft();
  return (await read(calendar.putEvent({ ...hour, ...event }))).state;
}

describe("what an event of Graph's says", () => {
  it("is what its fields say", async () => {
    const state = await stateOf({
      subject: "Planning",
      body: { contentType: "text", content: "First line\n\nSecond & last" },
      location: { displayName: "Room 4" },
      categories: ["Red category"],
      singleValueExtendedProperties: [{ id: URL_PROPERTY, value: "https://example.test/1" }],
    });
    expect(state).toMatchObject({
      ...{ summary: "Planning", description: "First line\n\nSecond & last", location: "Room 4" },
      ...{ url: "https://example.test/1", categories: ["Red category"], conferencing: null },
      ...{ transparency: "opaque", private: false, status: "confirmed", participationStatus: "accepted" },
      ...{ organizer: { email: ADA, display_name: "Ada" }, attendees: [] },
    });
  });

  it("is empty where it says nothing", async () => {
    expect(await stateOf({})).toMatchObject({ summary: "", description: "", location: null, url: null });
  });

  it.each<[Event["showAs"], object]>([
    ["free", { transparency: "transparent", status: "confirmed" }],
    ["tentative", { transparency: "opaque", status: "tentative" }],
    ["busy", { transparency: "opaque", status: "confirmed" }],
    ["oof", { transparency: "opaque", status: "confirmed" }],
    ["workingElsewhere", { transparency: "opaque", status: "confirmed" }],
  ])("about the time of its owner: %s", async (showAs, expected) => {
    expect(await stateOf({ showAs })).toMatchObject(expected);
  });

  it.each<[Event["sensitivity"], boolean]>([
    ["normal", false],
    ["personal", true],
    ["private", true],
    ["confidential", true],
  ])("about who may see it: %s", async (sensitivity, isPrivate) => {
    expect((await stateOf({ sensitivity })).private).toBe(isPrivate);
  });

  it("about its guests: everybody but the organizer, with their replies", async () => {
    const attendees = (["none", "notResponded", "accepted", "tentativelyAccepted", "declined"] as const).map(
      (response) => ({ type: "required" as const, ...person(`${response}@Example.COM`, "N"), status: { response } }),
    );
    const room = {
      type: "resource" as const,
      ...person("room@example.com"),
      status: { response: "accepted" as const },
    };
    const host = { type: "required" as const, ...person(ADA), status: { response: "organizer" as const } };
    const state = await stateOf({ attendees: [host, ...attendees, room] });
    expect(state.attendees.map(({ email, status }) => [email, status])).toEqual([
      ["none@example.com", "needs_action"],
      ["notresponded@example.com", "needs_action"],
      ["accepted@example.com", "accepted"],
      ["tentativelyaccepted@example.com", "tentative"],
      ["declined@example.com", "declined"],
      ["room@example.com", "accepted"],
    ]);
  });

  it("has no name of someone for whom Exchange gives the address as the name", async () => {
    const guests = [person("Cy@Example.com", "cy@example.com"), person("di@example.com", "Di")];
    const { attendees, organizer } = await stateOf({
      organizer: person("bob@example.com", "BOB@example.com"),
      attendees: guests.map((guest) => ({ type: "required", ...guest })),
    });
    expect(organizer).toEqual({ email: "bob@example.com", display_name: null });
    expect(attendees.map(({ display_name }) => display_name)).toEqual([null, "Di"]);
  });

  it("leaves out people who have no address but Exchange's own", async () => {
    const dn = "/O=EXCHANGELABS/OU=EXCHANGE ADMINISTRATIVE GROUP/CN=RECIPIENTS/CN=0A1B-BOB";
    const state = await stateOf({
      organizer: person(dn, "Bob"),
      attendees: [
        { type: "required", ...person(dn, "Bob") },
        { type: "required", ...person("cy@example.com") },
      ],
    });
    expect(state.organizer).toBeNull();
    expect(state.attendees.map(({ email }) => email)).toEqual(["cy@example.com"]);
  });

  it("has no name of people whom Exchange names by their address", async () => {
    const attendees = [{ type: "required" as const, ...person("Cy@example.com") }];
    const state = await stateOf({ organizer: person("bob@example.com", "Bob@Example.com"), attendees });
    expect(state.organizer).toEqual({ email: "bob@example.com", display_name: null });
    expect(state.attendees).toMatchObject([{ email: "cy@example.com", display_name: null }]);
  });

  it.each<[NonNullable<Event["responseStatus"]>["response"], string]>([
    ["none", "needs_action"],
    ["notResponded", "needs_action"],
    ["accepted", "accepted"],
    ["tentativelyAccepted", "tentative"],
    ["declined", "declined"],
  ])("about the reply of its owner, who is a guest: %s", async (response, expected) => {
    const own = { type: "required" as const, ...person(ADA) };
    const state = await stateOf({
      organizer: person("bob@example.com"),
      attendees: [own],
      responseStatus: { response },
    });
    expect(state).toMatchObject({ participationStatus: expected, organizer: { email: "bob@example.com" } });
  });

  it("when the organizer has cancelled it: that it is cancelled", async () => {
    const { calendar, read } = await adaAtMicrosoft();
    const id = calendar.putEvent({ ...hour, organizer: person("bob@example.com") });
    calendar.cancelByOrganizer(id);
    expect((await read(id)).state.status).toBe("cancelled");
  });
});

describe("the description", () => {
  const teams: Event = { isOnlineMeeting: true, onlineMeetingProvider: "teamsForBusiness" };

  it("is what people wrote, without what a Teams meeting appends", async () => {
    const { api, read } = await adaAtMicrosoft();
    const body = { ...hour, ...teams, body: { contentType: "text", content: "Bring the plan" } };
    const { body: created } = await api({ kind: "create_event", method: "POST", path: "/me/events", body });
    const { state } = await read(String(created.id));
    expect(state.description).toBe("Bring the plan");
    expect(state.conferencing).toEqual({
      provider: "microsoft_teams",
      join_url: expect.stringContaining("https://teams.microsoft.com/l/meetup-join/"),
    });
  });

  it("keeps lines of underscores that people wrote", async () => {
    const content = `Above\n${"_".repeat(80)}\nBetween\n${"_".repeat(80)}\nBelow`;
    expect((await stateOf({ body: { contentType: "text", content } })).description).toBe(content);
  });

  it("is text too where Graph sends a document all the same", () => {
    const content =
      "<html><head><style>p{color:red}</style><title>x</title></head><body><p>One&nbsp;&amp; two</p>\r\n<!-- <p>no</p> --><p>Three &#8364; <b>four</b><br>\nfive &lt;six&gt;</p><script>1 < 2</script></body></html>";
    const { description } = contentOf({ id: "1", body: { contentType: "html", content } });
    expect(description).toBe("One & two\nThree € four\nfive <six>");
  });

  it("has no character that nothing can store, however it is written", () => {
    const content = "A&#0;B&#xD800;C&#55357;D&#x1F600;E&#1114112;F";
    const { description } = contentOf({ id: "1", body: { contentType: "html", content } });
    expect(description).toBe("AB\ufffdC\ufffdD😀E&#1114112;F");
  });

  it("of a document that nobody has closed takes no longer than any other", () => {
    for (const piece of ["<", "<script>", "<!--", "<style", "&#", "_".repeat(40)]) {
      const content = piece.repeat(400_000 / piece.length);
      const began = performance.now();
      contentOf({ id: "1", body: { contentType: "html", content } });
      expect(performance.now() - began).toBeLessThan(1_000);
    }
  });
});

describe("the meeting link", () => {
  it("is pending until Graph has it", async () => {
    const { fake, api, read } = await adaAtMicrosoft({ knobs: { meetings: { pendingReads: null } } });
    const body = { ...hour, isOnlineMeeting: true, onlineMeetingProvider: "teamsForBusiness" };
    const id = String((await api({ kind: "create_event", method: "POST", path: "/me/events", body })).body.id);
    expect((await read(id)).state.conferencing).toEqual({ pending: true });
    fake.account(ADA).primary.finishMeeting(id);
    expect((await read(id)).state.conferencing).toMatchObject({ provider: "microsoft_teams" });
  });

  it("of another organizer is theirs", async () => {
    const state = await stateOf({
      organizer: person("bob@other.test"),
      isOnlineMeeting: true,
      onlineMeetingProvider: "teamsForBusiness",
      onlineMeeting: { joinUrl: join },
    });
    expect(state.conferencing).toEqual({ provider: "microsoft_teams", join_url: join });
  });

  it("is the first one of a known service in the texts of an event that has none", async () => {
    const zoom = "https://example.zoom.us/j/123456";
    const state = await stateOf({ body: { contentType: "text", content: `Join at ${zoom}.` } });
    expect(state.conferencing).toEqual({ provider: "other", join_url: zoom });
  });

  it("is none that the application has put into its own texts", async () => {
    const own = [{ id: EVENT_ID_PROPERTY, value: "one" }];
    const body = { contentType: "text" as const, content: "https://example.zoom.us/j/123456" };
    expect((await stateOf({ body, singleValueExtendedProperties: own })).conferencing).toBeNull();
    expect((await stateOf({ body })).conferencing).not.toBeNull();
  });

  it("is none once the application took it off, although Graph keeps it", async () => {
    const { api, read } = await adaAtMicrosoft();
    const body = {
      ...{ ...hour, isOnlineMeeting: true, onlineMeetingProvider: "teamsForBusiness" },
      ...{ body: { contentType: "text", content: "Bring the plan" } },
      singleValueExtendedProperties: [{ id: MEETING_PROPERTY, value: NO_MEETING }],
    };
    const { state } = await read(
      String((await api({ kind: "create_event", method: "POST", path: "/me/events", body })).body.id),
    );
    expect(state).toMatchObject({ conferencing: null, description: "Bring the plan" });
  });
});

import { beforeAll, describe, expect, it } from "vitest";
import { fakeClock } from "../../fakes/clock";
import { at, basic } from "../availability";
import { withToken } from "../grants";
import { call, newApplication, type Opened, openCalendar } from "../service";
import { newOperator, type Operator, refusal } from "./staff-caller";

let staff: Operator;

beforeAll(async () => {
  staff = await newOperator();
});

const accountOf = ({ accountId }: Opened) => staff.api.accounts.get({ id: accountId });
const found = async (q: string) =>
  (await staff.api.search.find({ q })).map(({ kind, id }: { kind: string; id: string }) => ({ kind, id }));

async function triggerOf({ post, calendarId }: Opened): Promise<string> {
  const answer = await post("/v1/triggers", {
    callback_url: "https://app.acme.io/reminders",
    ...{ before: "event_start", minutes: 10, calendar_ids: [calendarId], min_guests: 2 },
  });
  expect(answer.status, answer.text).toBe(201);
  return answer.json.trigger_id;
}

describe("a trigger", () => {
  it("is shown with when it fires, in its account and as an endpoint, and is found by its id", async () => {
    const opened = await openCalendar();
    const id = await triggerOf(opened);
    const trigger = { id, anchor: "start", minutes: -10, calendars: 1, onlyManaged: false, minGuests: 2 };
    const { channels } = await accountOf(opened);
    expect(channels).toMatchObject([{ callbackUrl: "https://app.acme.io/reminders", isOfTrigger: true, trigger }]);
    const [{ id: channelId } = { id: "" }] = channels;
    expect(await staff.api.endpoints.get({ id: channelId })).toMatchObject({ isOfTrigger: true, trigger });
    expect(await found(id)).toEqual([{ kind: "endpoint", id: channelId }]);
    expect((await staff.api.accounts.list({ q: id })).items).toMatchObject([{ id: opened.accountId }]);
    expect(await refusal(staff.api.channels.test({ id: channelId }))).toMatchObject({ kind: "not_found" });
    await withToken("DELETE", `/v1/triggers/${id}`, opened.accessToken);
    expect(await staff.api.endpoints.get({ id: channelId })).toMatchObject({
      ...{ state: "closed", isOfTrigger: true, trigger: null },
    });
  });

  it("is not what a channel is", async () => {
    const opened = await openCalendar();
    const { json } = await opened.post("/v1/channels", { callback_url: "https://app.acme.io/hook" });
    const none = { isOfTrigger: false, trigger: null };
    expect((await accountOf(opened)).channels).toMatchObject([none]);
    expect(await staff.api.endpoints.get({ id: json.channel.channel_id })).toMatchObject(none);
  });
});

describe("a booking", () => {
  it("is shown as it stands, with the calendars whose time it takes, and is found by its id", async () => {
    const time = fakeClock();
    const application = await newApplication();
    const [ada, ben] = [await openCalendar(application), await openCalendar(application)];
    expect((await accountOf(ada)).bookings).toEqual([]);
    const book = async (event_id: string, start: string, end: string, more: object = {}) => {
      const json = {
        calendar_id: ada.calendarId,
        event: { event_id, summary: "Secret plans", start: at(3, start), end: at(3, end) },
        require_free: [ada, ben].map(({ accountId }) => ({ sub: accountId })),
        ...more,
      };
      const answer = await call("POST", "/v1/bookings", { json, headers: basic(application) });
      expect(answer.status, answer.text).toBe(201);
      return answer.json.booking_id as string;
    };
    const late = await book("late", "12:00", "13:00", { hold_seconds: 30 });
    time.advance(31_000);
    const held = await book("held", "08:00", "09:00", { hold_seconds: 60 });
    const booked = await book("booked", "09:00", "10:00");
    const cancelled = await book("cancelled", "10:00", "11:00");
    await ada.remove(`/v1/calendars/${ada.calendarId}/events`, { event_id: "cancelled" });
    const { bookings } = await accountOf(ada);
    expect(new Map(bookings.map(({ id, state }) => [id, state]))).toEqual(
      new Map([
        [late, "expired"],
        [held, "held"],
        [booked, "booked"],
        [cancelled, "cancelled"],
      ]),
    );
    const takes = [ada, ben].map(({ accountId, calendarId }) => ({ id: calendarId, name: "Calendar", accountId }));
    for (const booking of bookings) {
      expect(booking).toMatchObject({ calendarId: ada.calendarId, calendarName: "Calendar" });
      expect(booking.takes).toEqual(takes.toSorted((one, other) => (one.id < other.id ? -1 : 1)));
      expect(booking.heldUntil === null).toBe(booking.id === booked || booking.id === cancelled);
    }
    expect(JSON.stringify(bookings)).not.toContain("Secret");
    expect((await accountOf(ben)).bookings).toEqual([]);
    expect(await found(booked)).toEqual([{ kind: "account", id: ada.accountId }]);
    expect((await staff.api.accounts.list({ q: booked })).items).toMatchObject([{ id: ada.accountId }]);
    expect(await found(`bkg_${"0".repeat(24)}`)).toEqual([]);
  });
});

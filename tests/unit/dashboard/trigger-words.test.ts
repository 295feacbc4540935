import { expect, it } from "vitest";
import { triggerWords } from "@/components/dashboard/accounts/trigger-words";
import { noticeOf } from "@/components/dashboard/deliveries/notice";
import type { StaffTrigger } from "@/server/services/staff/channels/shapes";

const trigger: StaffTrigger = {
  ...{ id: "trg_1", minutes: -10, calendars: null, onlyManaged: false, minGuests: 0 },
  anchor: "start",
};

it.each([
  [{}, "10 minutes before an event starts"],
  [{ minutes: -1 }, "1 minute before an event starts"],
  [{ anchor: "end", minutes: 0 }, "When an event ends"],
  [{ anchor: "end", minutes: 60 }, "1 hour after an event ends"],
  [{ minutes: -90 }, "90 minutes before an event starts"],
  [{ minutes: -2_880 }, "2 days before an event starts"],
  [
    { calendars: 1, onlyManaged: true, minGuests: 2 },
    "10 minutes before an event starts, in 1 calendar, if the application created it, with at least 2 guests",
  ],
] as const)("a trigger says when it fires: %o", (change, words) => {
  expect(triggerWords({ ...trigger, ...change })).toBe(words);
});

const said = (type: string, notification: object) => noticeOf({ type, body: JSON.stringify({ notification }) });

it("a delivery of a trigger names it and its event, and says if it was late", () => {
  const fired = { type: "trigger", trigger_id: "trg_1", event_uid: "evt_1" };
  const notice = { triggerId: "trg_1", eventUid: "evt_1", eventId: null, sentence: null };
  expect(said("trigger", fired)).toEqual(notice);
  expect(said("trigger", { ...fired, late: true })).toEqual({
    ...notice,
    sentence: "Fired late: more than a minute after its time.",
  });
});

it("a delivery of a refused write says which event and why", () => {
  const refused = { type: "write_refused", event_uid: "evt_1", event_id: "review", reason: "too_large" };
  expect(said("write_refused", refused)).toEqual({
    ...{ triggerId: null, eventUid: "evt_1", eventId: "review" },
    sentence: "The application’s write isn’t stored at the provider. The event is too large for the provider.",
  });
  expect(said("write_refused", { reason: "unheard-of" })?.sentence).toMatch(/The provider rejected the event\.$/);
});

it("other deliveries are about no single event, and a body that can't be read hides nothing else", () => {
  expect(said("change", {})).toBeNull();
  expect(noticeOf({ type: "trigger", body: "" })).toEqual({
    ...{ triggerId: null, eventUid: null, eventId: null, sentence: null },
  });
});

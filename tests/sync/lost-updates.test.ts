import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ofUid, tagOf } from "../api/named-events";
import { fakeClock } from "../fakes/clock";
import { type Receiver, startReceiver } from "../fakes/receiver";
import { caldavSide } from "./contract/caldav-side";
import { googleSide } from "./contract/google-side";
import { hostedSide } from "./contract/hosted-side";
import { microsoftSide, outlookSide } from "./contract/microsoft-side";
import { NOW } from "./contract/scenario";
import type { Side } from "./contract/side";
import { fileEnvironment } from "./file-environment";
import { watch } from "./world";

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
fileEnvironment(() => ({ LOG_LEVEL: "error", CALLBACK_ALLOWED_ORIGINS: receiver.origin }));
afterAll(() => receiver.close());

/** At nine and at two in Berlin. */
const meeting = {
  event_id: "planning",
  summary: "Planning",
  start: "2025-06-10T07:00:00Z",
  end: "2025-06-10T08:00:00Z",
};
const atTwo = { start: "2025-06-10T14:00:00", end: "2025-06-10T15:00:00" };
const SEEN = "2025-06-10T14:00";
const MOVED = "2025-06-10T12:00:00Z";

async function withMeeting(open: () => Promise<Side>) {
  fakeClock(NOW);
  const side = await open();
  const path = `/v1/calendars/${side.calendarId}/events`;
  expect((await side.post(path, meeting)).status).toBe(202);
  await side.settled();
  const query = { from: "2025-06-02", to: "2025-07-01", tzid: "Etc/UTC", include_managed: "true" };
  const [event] = (await side.get("/v1/events", query)).json.events;
  const uid: string = event.event_uid;
  const read = () => ofUid("GET", uid, side);
  const patch = (body: object, ifMatch?: string) =>
    ofUid("PATCH", uid, side, { body, headers: ifMatch === undefined ? {} : { "if-match": ifMatch } });
  const seen = async () => (await side.provider?.seen())?.map(({ start, summary }) => [start, summary]);
  return { side, uid, read, patch, seen };
}

const sides = [
  ["an application calendar", hostedSide],
  ["Google", googleSide],
  ["Microsoft 365", microsoftSide],
  ["Outlook.com", outlookSide],
  ["CalDAV", caldavSide],
] as const;

describe.each(sides)("the user moves a meeting to 14:00, on %s:", (_, open) => {
  it("the application, which has not read since, gets 412 with what is there, and 14:00 stays", async () => {
    const { side, read, patch, seen } = await withMeeting(open);
    const before = await read();
    await side.others.move(meeting, atTwo);
    if (side.provider) await side.provider.sync();
    const refused = await patch({ summary: "Changed", start: meeting.start, end: meeting.end }, tagOf(before));
    expect(refused).toMatchObject({ status: 412, json: { start: MOVED, summary: "Planning" } });
    await side.settled();
    expect((await read()).json).toMatchObject({ start: MOVED, summary: "Planning" });
    if (side.provider) expect(await seen()).toEqual([[SEEN, "Planning"]]);
    const changed = await patch({ summary: "Changed" }, tagOf(refused));
    expect(changed).toMatchObject({ status: 200, json: { start: MOVED, summary: "Changed" } });
    await side.settled();
    if (side.provider) expect(await seen()).toEqual([[SEEN, "Changed"]]);
    expect(tagOf(await read())).toBe(tagOf(changed));
  });

  it("and the same before any sync has read it: the provider is asked before the answer", async () => {
    const { side, read, patch, seen } = await withMeeting(open);
    const before = await read();
    await side.others.move(meeting, atTwo);
    const refused = await patch({ start: meeting.start, end: meeting.end }, tagOf(before));
    expect(refused).toMatchObject({ status: 412, json: { start: MOVED } });
    const removed = await ofUid("DELETE", refused.json.event_uid, side, { headers: { "if-match": tagOf(before) } });
    expect(removed.status).toBe(412);
    await side.settled();
    expect((await read()).json).toMatchObject({ start: MOVED });
    if (side.provider) expect(await seen()).toEqual([[SEEN, "Planning"]]);
  });

  it("and if the user moves it just after the answer: the change is undone, and 14:00 stays", async () => {
    const { side, read, patch, seen } = await withMeeting(open);
    if (!side.provider) return;
    const { settled } = await watch(side, receiver);
    const written = await patch({ start: meeting.start, end: "2025-06-10T10:00:00Z" }, tagOf(await read()));
    expect(written.status).toBe(200);
    await side.others.move(meeting, atTwo);
    await side.settled();
    await side.settled();
    expect((await read()).json).toMatchObject({ start: MOVED });
    expect(await seen()).toEqual([[SEEN, "Planning"]]);
    expect(await settled()).toContain("change");
  });

  it("and is overwritten by a change without If-Match, or by one that must only exist", async () => {
    for (const ifMatch of [undefined, "*"]) {
      const { side, read, patch, seen } = await withMeeting(open);
      await side.others.move(meeting, atTwo);
      if (side.provider) await side.provider.sync();
      expect((await patch({ start: meeting.start, end: meeting.end }, ifMatch)).status).toBe(200);
      await side.settled();
      expect((await read()).json).toMatchObject({ start: meeting.start });
      if (side.provider) expect(await seen()).toEqual([["2025-06-10T09:00", "Planning"]]);
    }
  });
});

import { describe, expect, it } from "vitest";
import { bookedEventId, keyOf, keyOfEventId } from "@/server/domain/event-keys";
import { eventKeys } from "@/server/http/request-log/event-keys";

const EVENTS = "/v1/calendars/cal_1/events";
const plan = keyOfEventId("cal_1", "plan");

interface Sent {
  method?: string;
  path: string;
  search?: string;
  body?: unknown;
  response?: object;
}

function keys({ method = "POST", path, search = "", body, response }: Sent): string[] {
  return eventKeys({
    ...{ method, path, search, accountId: "acc_1" },
    requestBody: body === undefined ? null : { value: body, bytes: 1 },
    responseBody: response ? { text: JSON.stringify(response) } : null,
  });
}

describe("the keys of a request's events", () => {
  it.each<[string, Sent, string[]]>([
    ["a write", { path: EVENTS, body: { event_id: "plan" } }, [plan]],
    [
      "a write to a calendar that is percent-encoded",
      { path: EVENTS.replace("_", "%5F"), body: { event_id: "plan" } },
      [plan],
    ],
    ["a deletion", { method: "DELETE", path: EVENTS, body: { event_id: "plan" } }, [plan]],
    ["a deletion by the query", { method: "DELETE", path: EVENTS, search: "?event_id=plan" }, [plan]],
    ["a change of an occurrence", { path: `${EVENTS}/occurrences`, body: { event_id: "plan" } }, [plan]],
    ["a change by uid", { method: "PATCH", path: "/v1/events/evt_1", body: {} }, [keyOf("evt_1")]],
    ["a deletion by uid", { method: "DELETE", path: "/v1/events/evt_1" }, [keyOf("evt_1")]],
    ["a reply", { path: `${EVENTS}/evt_1/participation_status`, body: {} }, [keyOf("evt_1")]],
    ["a sandbox change", { path: "/v1/sandbox/changes", body: { calendar_id: "cal_1", event_id: "plan" } }, [plan]],
    ["a sandbox change by uid", { path: "/v1/sandbox/changes", body: { event_uid: "evt_1" } }, [keyOf("evt_1")]],
    [
      "a booking",
      {
        ...{ path: "/v1/bookings", body: { calendar_id: "cal_1", event: { event_id: "plan" } } },
        response: { booking_id: "bkg_1" },
      },
      [plan, keyOf("bkg_1")],
    ],
    ["a confirmation", { path: "/v1/bookings/bkg_1/confirm" }, [keyOf("bkg_1")]],
    ["a cancellation", { method: "DELETE", path: "/v1/bookings/bkg_1" }, [keyOf("bkg_1")]],
    [
      "a batch, each event once",
      {
        path: "/v1/batch",
        body: {
          batch: [
            { relative_url: EVENTS, data: { event_id: "plan" } },
            { relative_url: EVENTS, data: { event_id: "plan" } },
            { relative_url: "nothing", data: { event_id: "plan" } },
            null,
            { relative_url: EVENTS, data: { event_id: "b" } },
          ],
        },
      },
      [plan, keyOfEventId("cal_1", "b")],
    ],
    [
      "a deletion of all events",
      { method: "DELETE", path: "/v1/events", body: { delete_all: true } },
      [keyOf("acc_1")],
    ],
    [
      "a deletion of calendars' events",
      { method: "DELETE", path: "/v1/events", body: { calendar_ids: ["cal_1"] } },
      [keyOf("cal_1")],
    ],
    [
      "a tool that books",
      { path: "/mcp", body: { tool: "book", calendar_id: "cal_1", event_id: bookedEventId("preview") } },
      [keyOfEventId("cal_1", bookedEventId("preview"))],
    ],
    ["a read", { method: "GET", path: EVENTS, search: "?event_id=plan" }, []],
    ["another write", { path: "/v1/channels", body: { event_id: "plan" } }, []],
    ["an unknown route", { path: "/v1/calendars/cal_1/nothing", body: { event_id: "plan" } }, []],
    ["a body that is no object", { path: EVENTS, body: [1] }, []],
    ["an id that is no text", { path: EVENTS, body: { event_id: { a: 1 } } }, []],
  ])("of %s", (_name, sent, expected) => {
    expect(keys(sent)).toEqual(expected);
  });

  it("are no more than those of a batch", () => {
    const batch = Array.from({ length: 90 }, (_, i) => ({ relative_url: EVENTS, data: { event_id: `e${i}` } }));
    expect(keys({ path: "/v1/batch", body: { batch } })).toHaveLength(50);
  });

  it("are whole numbers of eight bytes", () => {
    for (const id of ["evt_1", "", "\u{1F4C5}"])
      expect(BigInt.asIntN(64, BigInt(keyOf(id))).toString()).toBe(keyOf(id));
  });
});

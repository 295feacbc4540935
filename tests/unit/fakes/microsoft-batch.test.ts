import { BatchRequestContent, BatchResponseContent, type Client } from "@microsoft/microsoft-graph-client";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CalendarState } from "../../fakes/microsoft/calendar-state";
import type { MicrosoftFake } from "../../fakes/microsoft/microsoft";
import { adaOfMicrosoft, failure, meeting } from "./microsoft-client";

let microsoft: MicrosoftFake;
let api: Client;
let state: CalendarState;

beforeEach(async () => {
  ({ microsoft, api, state } = await adaOfMicrosoft());
});
afterEach(() => microsoft.close());

interface Part {
  id: string;
  method: string;
  url: string;
  headers?: Record<string, string>;
  body?: unknown;
  dependsOn?: string[];
}

interface Answer {
  id: string;
  status: number;
  headers: Record<string, string>;
  body: { id?: string; subject?: string; error?: { code: string } };
}

const json = { "Content-Type": "application/json" };
const read = (id: string, url = "/me/calendar"): Part => ({ id, method: "GET", url });

/** The responses of a batch by the ids of its parts. */
async function send(requests: Part[]): Promise<Record<string, Answer>> {
  const { responses } = await api.api("/$batch").post({ requests });
  return Object.fromEntries(responses.map((one: Answer) => [one.id, one]));
}

describe("a batch", () => {
  it("of the client's own making is answered part by part", async () => {
    const event = state.putEvent(meeting());
    const content = new BatchRequestContent([
      { id: "1", request: new Request(`${microsoft.origin}/me/events/${event}`) },
      { id: "2", request: new Request(`${microsoft.origin}/me/events/nobody`) },
    ]);
    const responses = new BatchResponseContent(await api.api("/$batch").post(await content.getContent()));
    expect(await responses.getResponseById("1").json()).toMatchObject({ id: event, subject: "Planning" });
    expect(responses.getResponseById("2").status).toBe(404);
  });

  it("has responses in another order than its parts", async () => {
    const { responses } = await api.api("/$batch").post({ requests: [read("1"), read("2"), read("3")] });
    expect(responses.map(({ id }: Answer) => id)).toEqual(["3", "2", "1"]);
  });

  it("creates, changes and deletes", async () => {
    const [changed, gone] = [state.putEvent(meeting()), state.putEvent(meeting())];
    const answers = await send([
      { id: "a", method: "POST", url: "/me/events", headers: json, body: meeting({ subject: "New" }) },
      { id: "b", method: "PATCH", url: `me/events/${changed}`, headers: json, body: { subject: "Changed" } },
      { id: "c", method: "DELETE", url: `/me/events/${gone}` },
    ]);
    expect([answers.a?.status, answers.b?.status, answers.c?.status]).toEqual([201, 200, 204]);
    expect(answers.c).not.toHaveProperty("body");
    expect(state.events().map(({ subject }) => subject)).toEqual(["Changed", "New"]);
  });

  it("gives each part its own headers, and none of the batch's but the token", async () => {
    const event = state.putEvent(meeting());
    const requests = [
      { ...read("1", `/me/events/${event}`), headers: { Prefer: 'outlook.timezone="Tokyo Standard Time"' } },
      read("2", `/me/events/${event}`),
    ];
    const { responses } = await api
      .api("/$batch")
      .header("Prefer", 'outlook.timezone="Romance Standard Time"')
      .post({ requests });
    const zones = responses.map(({ id, body }: { id: string; body: { start: { timeZone: string } } }) => [
      id,
      body.start.timeZone,
    ]);
    expect(zones.sort()).toEqual([
      ["1", "Tokyo Standard Time"],
      ["2", "UTC"],
    ]);
  });

  it("judges If-Match for each part", async () => {
    const event = state.putEvent(meeting());
    const answers = await send([
      {
        id: "1",
        method: "PATCH",
        url: `/me/events/${event}`,
        headers: { ...json, "If-Match": 'W/"old"' },
        body: { subject: "Mine" },
      },
    ]);
    expect(answers["1"]).toMatchObject({ status: 412, body: { error: { code: "ErrorIrresolvableConflict" } } });
  });

  it("follows links within Graph", async () => {
    const { "1": view } = await send([
      read("1", "/me/calendarView?startDateTime=2027-03-01&endDateTime=2027-04-01&$top=5"),
    ]);
    expect(view).toMatchObject({ status: 200, body: { value: [] } });
  });
});

describe("parts that depend on others", () => {
  it("come after them", async () => {
    await send([
      { ...read("2", "/me/events"), dependsOn: ["1"] },
      { id: "1", method: "POST", url: "/me/events", headers: json, body: meeting() },
    ]);
    const paths = microsoft.requests.filter(({ isPart }) => isPart).map(({ method }) => method);
    expect(paths).toEqual(["POST", "GET"]);
  });

  it("fail with 424 when one of those fails", async () => {
    const answers = await send([
      read("1", "/me/events/nobody"),
      { ...read("2"), dependsOn: ["1"] },
      { ...read("3"), dependsOn: ["2"] },
    ]);
    expect([answers["1"]?.status, answers["2"]?.status, answers["3"]?.status]).toEqual([404, 424, 424]);
  });
});

describe("a malformed batch", () => {
  it.each<[string, unknown]>([
    ["without parts", {}],
    ["of 21 parts", { requests: Array.from({ length: 21 }, (_, index) => read(String(index))) }],
    ["with an id twice, but for its case", { requests: [read("a"), read("A")] }],
    ["with a body without its type", { requests: [{ id: "1", method: "POST", url: "/me/events", body: meeting() }] }],
    ["that depends on a part that is not there", { requests: [{ ...read("1"), dependsOn: ["2"] }] }],
    [
      "whose parts depend on each other",
      {
        requests: [
          { ...read("1"), dependsOn: ["2"] },
          { ...read("2"), dependsOn: ["1"] },
        ],
      },
    ],
    ["with a part without an address", { requests: [{ id: "1", method: "GET" }] }],
  ])("%s is refused as a whole", async (_, body) => {
    expect(await failure(api.api("/$batch").post(body))).toMatchObject({ status: 400 });
    expect(state.events()).toEqual([]);
  });

  it("of 20 parts is none", async () => {
    const answers = await send(Array.from({ length: 20 }, (_, index) => read(String(index))));
    expect(Object.values(answers).every(({ status }) => status === 200)).toBe(true);
  });

  it("without a valid token is refused as a whole, and a batch within a batch is unknown", async () => {
    const response = await fetch(`${microsoft.origin}/v1.0/$batch`, {
      method: "POST",
      body: JSON.stringify({ requests: [read("1")] }),
    });
    expect(response.status).toBe(401);
    const answers = await send([{ id: "1", method: "POST", url: "/$batch", headers: json, body: { requests: [] } }]);
    expect(answers["1"]?.status).toBe(404);
  });
});

describe("throttling in a batch", () => {
  it("meets single parts, with Retry-After in their headers", async () => {
    microsoft.faults.next({ path: /\/me\/calendars$/, respond: "tooManyRequests", retryAfter: 7 });
    const answers = await send([read("1"), read("2", "/me/calendars"), read("3")]);
    expect(answers["2"]).toMatchObject({ status: 429, headers: { "Retry-After": "7" } });
    expect([answers["1"]?.status, answers["3"]?.status]).toEqual([200, 200]);
  });

  it("is not called for by a batch alone, of which four parts run at once", async () => {
    microsoft.knobs.latency = 5;
    const answers = await send(Array.from({ length: 10 }, (_, index) => read(String(index))));
    expect(Object.values(answers).every(({ status }) => status === 200)).toBe(true);
    expect(microsoft.counters.mostAtOnce).toEqual({ "ada@example.com": 4 });
  });

  it("is called for by a batch beside other requests, unless its parts come one after the other", async () => {
    let letGo = () => {};
    const until = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    microsoft.faults.next({ until });
    const beside = api.api("/me/calendar").get();
    await expect.poll(() => microsoft.requests).toHaveLength(1);
    microsoft.knobs.latency = 1;
    const parts = Array.from({ length: 4 }, (_, index) => read(String(index)));
    const statuses = (answers: Record<string, Answer>) => Object.values(answers).map(({ status }) => status);
    expect(statuses(await send(parts)).sort()).toEqual([200, 200, 200, 429]);
    const chained = parts.map((part, index) => (index > 0 ? { ...part, dependsOn: [String(index - 1)] } : part));
    expect(statuses(await send(chained))).toEqual([200, 200, 200, 200]);
    letGo();
    await beside;
  });

  it("breaks no connection for a part: that is 504", async () => {
    microsoft.faults.next({ path: /\/me\/calendars$/, breakConnection: true });
    expect((await send([read("1", "/me/calendars")]))["1"]).toMatchObject({ status: 504 });
  });
});

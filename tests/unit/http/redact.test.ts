import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { redactBody, redactHeaders, redactQuery, STORED_BODY } from "@/server/http/redact";

const CANARY = "canary-quoll";
const TEXT_FIELDS = [
  "summary",
  "description",
  "location",
  "url",
  "email",
  "name",
  "display_name",
  "profile_name",
  "calendar_name",
  "join_url",
  "access_token",
  "refresh_token",
  "link_token",
  "token",
  "client_secret",
  "signing_secret",
  "code",
  "state",
  "redirect_uri",
  "callback_url",
  "next_page",
  "error_description",
  "reminders",
  "hosted_reply_note",
  "password",
];
const canaryText = fc.tuple(fc.string(), fc.string()).map(([before, after]) => `${before}${CANARY}${after}`);
const textField = fc.constantFrom(...TEXT_FIELDS, "location.description", "svc.name", "names[]");

describe("a stored body", () => {
  it("never holds the text of a field that is not known to be harmless, however it is nested", () => {
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 6 },
        fc.dictionary(textField, canaryText, { maxKeys: 5 }),
        fc.dictionary(textField, tie("tree"), { maxKeys: 5 }),
        fc.dictionary(fc.constantFrom("event_id", "start", "attendees", "x"), tie("tree"), { maxKeys: 3 }),
        fc.dictionary(textField, fc.array(canaryText), { maxKeys: 3 }),
        fc.array(tie("tree"), { maxLength: 4 }),
      ),
    }));
    fc.assert(
      fc.property(tree, (body) => {
        expect(JSON.stringify(redactBody(body))).not.toContain(CANARY);
      }),
      { numRuns: 300 },
    );
  });

  it("keeps numbers, booleans, null, keys, times, ids and enumerated values", () => {
    const body = {
      event_id: "evt-7/ü".slice(0, 6),
      calendar_id: "cal_U9uuErStTG@EAAAB",
      start: { time: "2026-12-01T10:00:00+01:00", tzid: "America/Argentina/Buenos_Aires" },
      end: "2026-12-01 11:00:00Z",
      tzid: "Etc/GMT+5",
      notify_attendees: false,
      recurrence: {
        rules: [{ frequency: "weekly", interval: 2, until: "2027-02-30", by_day: [{ day: "tuesday" }] }],
        exceptions: null,
      },
      filters: { calendar_ids: ["cal_a", "cal_b"] },
      "svc.type": "application_calendar",
      provider_name: "office365",
      scope: "read_write",
      grant_type: "refresh_token",
    };
    expect(redactBody(body)).toEqual(body);
  });

  it("has [redacted] for event text, people and secrets", () => {
    expect(
      redactBody({
        summary: "Dinner",
        location: { description: "Rome" },
        attendees: { invite: [{ email: "a@example.org", display_name: null }] },
        client_secret: "x",
      }),
    ).toEqual({
      summary: "[redacted]",
      location: { description: "[redacted]" },
      attendees: { invite: [{ email: "[redacted]", display_name: null }] },
      client_secret: "[redacted]",
    });
  });

  it("keeps no sentence and no callback URL unless it is told of which request it is", () => {
    const body = {
      errors: { summary: [{ key: "errors.required", description: "Dinner" }] },
      callback_url: "https://a.io",
    };
    expect(redactBody(body)).toEqual({
      errors: { summary: [{ key: "errors.required", description: "[redacted]" }] },
      callback_url: "[redacted]",
    });
  });

  it("does not keep something else in the place of a time, an id or an enumerated value", () => {
    const body = {
      start: "when we meet",
      tzid: "my home",
      event_id: `at_${"a1B2".repeat(10)}`,
      calendar_ids: ["two words"],
      status: "a sentence.",
      grant_type: "kX82jf93nd83hf83",
      type: { note: CANARY },
      sub: "Bearer rt_0123456789abcdef0123456789abcdef",
    };
    expect(JSON.stringify(redactBody(body)).match(/\[redacted]/g)).toHaveLength(8);
  });

  it("is at most 16 KB and says when something was left out", () => {
    const long = { events: Array.from({ length: 3000 }, (_, i) => ({ event_id: `evt_${i}`, start: "2026-12-01" })) };
    const stored = redactBody(long);
    expect(stored).toMatchObject({ truncated: true, body: { events: expect.any(Array) } });
    expect(JSON.stringify(stored).length).toBeGreaterThan(STORED_BODY / 2);
    expect(JSON.stringify(stored).length).toBeLessThanOrEqual(STORED_BODY);
  });

  it("is at most 16 KB and goes into jsonb, whatever the keys are", () => {
    const key = fc.oneof(
      fc.string({ unit: "binary", maxLength: 200 }),
      fc.constantFrom(
        "\u0000".repeat(64),
        "\uD800x",
        '"'.repeat(90),
        "🎈".repeat(70),
        "__proto__",
        "event_id",
        "cursor",
      ),
    );
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 5 },
        fc.string({ maxLength: 600 }),
        fc.constant("c".repeat(600)),
        fc.double(),
        fc.array(tie("tree"), { maxLength: 40 }),
        fc.array(fc.tuple(key, tie("tree")), { maxLength: 40 }).map(Object.fromEntries),
      ),
    }));
    fc.assert(
      fc.property(tree, (body) => {
        const text = JSON.stringify(redactBody(body));
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(STORED_BODY);
        expect(text).not.toMatch(/\\u0000|\\ud[89a-f]/i);
        JSON.parse(text, (name, value) => {
          expect(name.length).toBeLessThanOrEqual(64);
          return value;
        });
      }),
      { numRuns: 100 },
    );
  });

  it("ends at a depth, and at a number of keys", () => {
    const deep = `${'[{"a":'.repeat(2000)}"x"${"}]".repeat(2000)}`;
    expect(JSON.stringify(redactBody(JSON.parse(deep)))).toMatch(/\[redacted]/);
    const wide = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`k${i}`, 1]));
    expect(redactBody(wide)).toMatchObject({ truncated: true, body: { k127: 1 } });
  });

  it("holds no token as a key", () => {
    expect(redactBody({ rt_0123456789abcdef0123456789: 1 })).toEqual({ "[redacted]": 1 });
  });
});

describe("stored headers", () => {
  it("keep what describes the message and hide every other value", () => {
    const headers = new Headers({
      Authorization: `Bearer ${CANARY}`,
      Cookie: CANARY,
      "X-Api-Key": CANARY,
      Referer: `https://x/?code=${CANARY}`,
      Location: `https://x/?code=${CANARY}`,
      "Content-Type": "application/json",
      "User-Agent": "curl/8",
      "Svc-Request-Id": "req_12345678",
      "RateLimit-Remaining": "149",
      "Retry-After": "1",
    });
    expect(redactHeaders(headers)).toEqual({
      authorization: "[redacted]",
      cookie: "[redacted]",
      "x-api-key": "[redacted]",
      referer: "[redacted]",
      location: "[redacted]",
      "content-type": "application/json",
      "user-agent": "curl/8",
      "svc-request-id": "req_12345678",
      "ratelimit-remaining": "149",
      "retry-after": "1",
    });
  });

  it("are read from a plain record too", () => {
    const record = { Host: "api", "Set-Cookie": [CANARY, "b"], Accept: undefined };
    expect(redactHeaders(record)).toEqual({ host: "api", "set-cookie": "[redacted]" });
    expect(redactHeaders({ host: "api", "x-almanac-address": "192.0.2.7" })).toEqual({ host: "api" });
  });

  it("hide a token even in a header that is kept", () => {
    expect(redactHeaders({ "user-agent": "x at_0123456789abcdef0123456789" })).toEqual({ "user-agent": "[redacted]" });
  });

  it("are bounded in number and length", () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`x-${i}`, "v"]));
    expect(Object.keys(redactHeaders(many))).toHaveLength(64);
    const [[name, value] = ["", ""]] = Object.entries(redactHeaders({ "user-agent": "u".repeat(5000) }));
    expect([name, value.length]).toEqual(["user-agent", 256]);
    expect(Object.keys(redactHeaders({ ["x".repeat(9000)]: "1" }))[0]).toHaveLength(64);
  });

  it("have no prototype to reach through a header of that name", () => {
    expect(Object.entries(redactHeaders([["__proto__", "x"]]))).toEqual([["__proto__", "[redacted]"]]);
  });
});

describe("a stored query", () => {
  it("keeps times, ids, zones, flags and the cursor", () => {
    const query =
      "tzid=Europe/Paris&from=2026-11-01&calendar_ids[]=cal_a&calendar_ids[]=cal_b&include_ids=1&cursor=e30.x";
    expect(redactQuery(new URLSearchParams(query))).toBe(query.replace("Europe/Paris", "Europe%2FParis"));
  });

  it("hides code, state, link_token, redirect_uri and what is unknown", () => {
    const names = ["code", "state", "link_token", "redirect_uri", "access_token", "q", "tzid"];
    const query = new URLSearchParams(names.map((name) => [name, `${CANARY} x`]));
    expect(redactQuery(query)).toBe(names.map((name) => `${name}=[redacted]`).join("&"));
  });

  it("is null without parameters", () => {
    expect(redactQuery(new URLSearchParams(""))).toBeNull();
  });

  it("is storable whatever it holds", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), canaryText, (name, value) => {
        const stored = redactQuery(new URLSearchParams([[name, value]])) ?? "";
        expect(stored).not.toContain(CANARY);
        expect(stored).toMatch(/^[\x20-\x7e]*$/);
      }),
    );
    expect(redactQuery(new URLSearchParams("%00=1"))).toBe("%EF%BF%BD=[redacted]");
  });
});

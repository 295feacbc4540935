import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { redactBody, redactHeaders, redactQuery, STORED_BODY } from "@/server/http/redaction/redact";

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
      batch: [{ method: "DELETE", relative_url: "/v1/calendars/cal_a/events" }],
      call: { jsonrpc: 2, method: "tools/call" },
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
    expect(redactBody({ rt_0123456789abcdef0123456789: 1 })).toEqual({ "[redacted]": "[redacted]" });
  });

  it("keeps the keys that are names, and nothing of a member whose key is none", () => {
    const names = [
      "event_id",
      "svc.type",
      "calendar_ids[]",
      "names[3]",
      "x-note",
      "_a",
      "googleEventIds",
      "sha256",
      "A1",
    ];
    expect(Object.keys(redactBody(Object.fromEntries(names.map((name) => [name, 1]))) as object)).toEqual(names);
    const texts = [
      '{"client_id":"acme","client_secret":"hunter2"}',
      "Dinner with Ann",
      "",
      "1",
      "é",
      "a\u0000",
      "a".repeat(41),
      "a[1",
      "a[0][1]",
      "kX82jf93nd83hf83Zq7Lm2",
      "9f86d081884c7d659a2feaa0c55ad015",
      "f9f86d081884c7d659a2feaa0c55ad015",
    ];
    for (const text of texts) {
      expect(redactBody({ [text]: "2026-12-01", type: { [text]: { event_id: 7 } } })).toEqual({
        "[redacted]": "[redacted]",
        type: { "[redacted]": "[redacted]" },
      });
      expect(redactQuery(new URLSearchParams([[text, "1"]]))).toBe("[redacted]");
    }
  });

  it("holds no random text of the length of a secret as a key", () => {
    const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let kept = 0;
    for (let i = 0; i < 2000; i += 1) {
      const secret = Array.from(randomBytes(32), (byte) => letters[byte & 63]).join("");
      if (JSON.stringify(redactBody({ [secret]: 1 })).includes(secret)) kept += 1;
    }
    expect(kept).toBeLessThan(60);
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
    for (const text of [
      "x at_0123456789abcdef0123456789",
      "xat%5F0123456789abcdef0123456789",
      "%2561t_0123456789abcdef0123456789",
      "Acme kX82jf93nd83hf83Zq7Lm2aP",
      "multipart/form-data; boundary=9f86d081884c7d659a2feaa0c55ad015",
    ]) {
      expect(redactHeaders({ "user-agent": text, accept: text })).toEqual({
        "user-agent": "[redacted]",
        accept: "[redacted]",
      });
    }
  });

  it("keep what browsers and SDKs say of themselves", () => {
    const headers = {
      "user-agent":
        "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36",
      accept:
        "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8,application/signed-exchange;v=b3",
      "accept-language": "en-GB,en;q=0.9,de-CH;q=0.8",
      "content-type": "application/x-www-form-urlencoded; charset=utf-8",
      "svc-request-id": "req_0123456789abcdef01234567",
      date: "Sun, 22 Nov 2026 10:58:53 GMT",
    };
    expect(redactHeaders(headers)).toEqual(headers);
  });

  it("are bounded in number and length", () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`x-${i}`, "v"]));
    expect(Object.keys(redactHeaders(many))).toHaveLength(64);
    const [[name, value] = ["", ""]] = Object.entries(redactHeaders({ "user-agent": "u".repeat(5000) }));
    expect([name, value.length]).toEqual(["user-agent", 256]);
    expect(redactHeaders({ ["x".repeat(9000)]: "1" })).toEqual({ "[redacted]": "[redacted]" });
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
    expect(redactQuery(new URLSearchParams("%00=1&x=1"))).toBe("[redacted]&x=[redacted]");
  });

  it("is at most 2,048 characters", () => {
    const long = redactQuery(
      new URLSearchParams(Array.from({ length: 250 }, (_, i) => [`event_id[${i}]`, "é%".repeat(40)])),
    );
    expect(long?.length).toBeGreaterThan(1500);
    expect(long?.length).toBeLessThanOrEqual(2048);
  });
});

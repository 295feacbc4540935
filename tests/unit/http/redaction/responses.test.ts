import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { redactBody } from "@/server/http/redaction/redact";
import { keptOf, type LoggedSide } from "@/server/http/redaction/responses";

const CANARY = "canary-quoll";
const EVENTS = "/v1/calendars/cal_1/events";
const stored = (body: unknown, side: LoggedSide["side"], path = EVENTS) =>
  redactBody(body, keptOf(body, { side, path }));

describe("a stored answer", () => {
  it("keeps the sentences of a 422", () => {
    const body = {
      errors: {
        "calendar_ids[0]": [{ key: "errors.invalid", description: 'calendar_ids[0] is "not" of the account' }],
        "recurrence.rules[0].until": [{ key: "errors.must_be_date", description: "It must be a date" }],
        base: [{ key: "errors.invalid_json", description: "The body must be a JSON object: not JSON" }],
      },
    };
    expect(stored(body, "response")).toEqual(body);
  });

  it("keeps the sentence beside an error", () => {
    for (const body of [
      { error: "invalid_grant", error_description: "The code is unknown" },
      { error: "not_found", description: "This account has no channel with this id" },
    ]) {
      expect(stored(body, "response")).toEqual(body);
    }
  });

  it("keeps ids, times and reasons of availability, and only there the accounts of `as_of`", () => {
    const sub = "acc_2667ce21f4f95c7eaa1d9a02";
    const hour = { start: "2026-11-21T09:00:00Z", end: "2026-11-21T10:00:00Z" };
    const body = {
      available_periods: [{ ...hour, participants: [{ sub }] }],
      problems: [{ sub, reason: "initial_sync", since: hour.start }],
      as_of: { [sub]: hour.start },
      unavailable: [{ sub, ...hour, reason: "outside_available_periods" }],
    };
    expect(stored(body, "response", "/v1/availability")).toEqual(body);
    for (const [side, path] of [
      ["request", "/v1/availability"],
      ["response", EVENTS],
    ] as const) {
      expect(stored(body, side, path)).toEqual({ ...body, as_of: { "[redacted]": "[redacted]" } });
    }
    const odd = { as_of: { [sub]: CANARY, [`x ${CANARY}`]: hour.start } };
    expect(JSON.stringify(stored(odd, "response", "/v1/availability"))).not.toContain("canary");
  });

  it("keeps at most 300 characters of a sentence", () => {
    const body = { error: "invalid_grant", error_description: "x".repeat(2000) };
    expect(stored(body, "response")).toEqual({ ...body, error_description: `${"x".repeat(297)}...` });
  });

  it.each([
    ["with a token", { error: "invalid_grant", error_description: `${"x".repeat(290)} at_0123456789abcdef0123` }],
    ["beside what is no error", { error: "Dinner with Ann", error_description: CANARY }],
    ["beside what is no key", { errors: { summary: [{ key: "Dinner", description: CANARY }] } }],
    [
      "of a field that the caller made up",
      { errors: { "Dinner with Ann": [{ key: "errors.invalid", description: CANARY }] } },
    ],
    ["that is of no refusal", { events: [{ key: "errors.required", description: CANARY }] }],
    ["further in", { event: { error: "invalid_grant", error_description: CANARY, description: CANARY } }],
    ["in another alphabet", { error: "invalid_grant", error_description: "Ужин" }],
  ])("keeps no sentence %s", (_, body) => {
    expect(JSON.stringify(stored(body, "response"))).toContain('"[redacted]"');
    expect(JSON.stringify(stored(body, "response"))).not.toMatch(/canary|at_0|Ужин/);
  });

  it("never holds event text, whatever stands around it", () => {
    const text = fc.tuple(fc.string(), fc.string()).map(([before, after]) => `${before}${CANARY}${after}`);
    const field = fc.constantFrom(
      "summary",
      "description",
      "error_description",
      "key",
      "error",
      "errors",
      "callback_url",
    );
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 5 },
        text,
        fc.dictionary(field, tie("tree"), { maxKeys: 5 }),
        fc.array(tie("tree"), { maxLength: 3 }),
      ),
    }));
    fc.assert(
      fc.property(tree, (event) => {
        for (const answer of [{ events: [event] }, { events: { summary: [event] }, pages: { current: 1 } }, [event]]) {
          expect(JSON.stringify(stored(answer, "response"))).not.toContain(CANARY);
        }
      }),
      { numRuns: 300 },
    );
  });

  it("is at most 16 KB with sentences too", () => {
    const issue = { key: "errors.invalid", description: '"'.repeat(400) };
    const body = { errors: { summary: Array.from({ length: 100 }, () => issue) } };
    const text = JSON.stringify(stored(body, "response"));
    expect(text.length).toBeGreaterThan(8 * 1024);
    expect(text.length).toBeLessThanOrEqual(16 * 1024);
  });
});

describe("a stored request", () => {
  it("keeps no sentence, since it is event text there", () => {
    for (const body of [
      { errors: { summary: [{ key: "errors.required", description: CANARY }] } },
      { error: "invalid_grant", error_description: CANARY, description: CANARY },
    ]) {
      expect(JSON.stringify(stored(body, "request"))).not.toContain(CANARY);
    }
  });
});

describe("a stored callback URL", () => {
  const kept = (callback_url: string, path = "/v1/channels") => stored({ callback_url }, "request", path);

  it.each([
    ["https://hooks.acme.io/almanac", "https://hooks.acme.io/almanac"],
    [`https://hooks.acme.io/a?token=${CANARY}#${CANARY}`, "https://hooks.acme.io/a?[redacted]"],
    [`https://user:${CANARY}@hooks.acme.io:8443/`, "https://hooks.acme.io:8443/"],
    ["http://127.0.0.1/x", "http://127.0.0.1/x"],
    [`mailto:${CANARY}`, "[redacted]"],
    [CANARY, "[redacted]"],
    ["https://acme.io/whsec_0123456789abcdef0", "[redacted]"],
  ])("is origin and path: %s", (url, expected) => {
    expect(kept(url)).toEqual({ callback_url: expected });
  });

  it("is in the answers of channels, and nowhere else", () => {
    const body = { channels: [{ channel_id: "chn_1", callback_url: "https://a.io/x" }] };
    expect(stored(body, "response", "/v1/channels")).toEqual(body);
    expect(kept("https://a.io/x", EVENTS)).toEqual({ callback_url: "[redacted]" });
    expect(kept("https://a.io/x", "/v1/channelsx")).toEqual({ callback_url: "[redacted]" });
  });

  it("is bounded", () => {
    const long = JSON.stringify(kept(`https://a.io/${"x".repeat(2000)}?a=b`));
    expect(long.length).toBeLessThan(600);
    expect(long).toContain("?[redacted]");
  });
});

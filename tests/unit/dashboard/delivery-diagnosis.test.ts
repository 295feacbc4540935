import { describe, expect, it } from "vitest";
import { absenceWords } from "@/components/dashboard/deliveries/absence-words";
import { diagnosis } from "@/components/dashboard/deliveries/diagnosis";
import { shortenedEndpoint } from "@/components/dashboard/deliveries/endpoint";
import { endpointOf } from "@/server/domain/channels/endpoint";
import { errorClasses } from "@/server/domain/channels/error-classes";
import type { AttemptRow } from "@/server/services/staff/deliveries/shapes";
import type { DeliveryState } from "@/server/services/staff/lists/deliveries";

const endpoint = "hooks.acme.io:8443/calendar";

function attempt(came: Partial<AttemptRow>): AttemptRow {
  const nothing = { status: null, errorClass: null, responseHeaders: null, responseBody: null };
  const base = { number: 1, manual: false, startedAt: "2026-11-21T10:00:00Z", durationMs: 5, address: "203.0.113.7" };
  return { ...base, ...nothing, ...came };
}

const said = (came: Partial<AttemptRow>, state: DeliveryState = "pending") =>
  diagnosis({ state, endpoint, attemptRows: [attempt({ status: 200 }), attempt(came)] });

describe("the diagnosis of a delivery", () => {
  it("says of every error class what happened, and each another thing", () => {
    const all = errorClasses.map((errorClass) => said({ errorClass }));
    expect(new Set(all).size).toBe(errorClasses.length);
    expect(said({ errorClass: "timeout" })).toBe("The endpoint didn't respond within 5 seconds.");
    expect(said({ errorClass: "dns", address: null })).toBe(
      "DNS lookup failed for hooks.acme.io. Check that the name exists and resolves publicly.",
    );
    expect(said({ errorClass: "connect" })).toContain("Couldn't connect to hooks.acme.io:8443 (203.0.113.7).");
    expect(said({ errorClass: "blocked", address: "10.0.0.1" })).toContain(
      "hooks.acme.io resolves to 10.0.0.1, which isn't public.",
    );
    expect(said({ errorClass: "blocked", address: null })).toContain("The callback URL isn't public.");
  });

  it("says what a status code means for the endpoint", () => {
    expect(said({ status: 503 })).toBe("The endpoint responded with 503: an error on its side.");
    expect(said({ status: 404 })).toContain("Check that /calendar exists");
    expect(said({ status: 301 })).toContain("doesn't follow redirects");
    for (const status of [400, 401, 403, 405, 410, 413, 429, 500])
      expect(said({ status })).toContain(`The endpoint responded with ${status}`);
  });

  it("is absent where nothing failed", () => {
    expect(said({ status: 204 })).toBeNull();
    expect(said({ status: 500 }, "delivered")).toBeNull();
    expect(diagnosis({ state: "pending", endpoint, attemptRows: [] })).toBeNull();
  });
});

describe("an endpoint", () => {
  it("is host and path of a callback URL, never its query", () => {
    expect(endpointOf("https://Hooks.Acme.io:443/Calendar/7?token=s3cret#x")).toBe("hooks.acme.io/Calendar/7");
    expect(endpointOf("https://hooks.acme.io?token=s3cret")).toBe("hooks.acme.io");
    expect(endpointOf("https://hooks.acme.io/")).toBe("hooks.acme.io");
    expect(endpointOf("http://localhost:3000/a")).toBe("localhost:3000/a");
  });

  it("is shortened in the middle", () => {
    expect(shortenedEndpoint("hooks.acme.io/a", 24)).toBe("hooks.acme.io/a");
    const short = shortenedEndpoint("hooks.acme.io/services/T0001/B0002/calendar", 24);
    expect(short).toBe("hooks.acme.io/…/calendar");
    expect(shortenedEndpoint(`${"a".repeat(80)}.io/hook`, 36)).toHaveLength(36);
  });
});

describe("an empty list", () => {
  const now = { now: Date.parse("2026-11-21T10:00:00Z"), filters: {} };

  it("says why, with what to do", () => {
    expect(absenceWords({ reason: "unknown", what: "account" }, now).title).toBe("Account not found");
    expect(absenceWords({ reason: "no_channel", accountId: "acc_1" }, now).text).toContain("POST /v1/channels");
    const closed = { reason: "channels_closed", closedAt: "2026-11-18T10:00:00Z", closedBy: "gone" } as const;
    expect(absenceWords(closed, now).text).toContain("closed 3 d ago after its endpoint responded with 410.");
    const gone = { reason: "disconnected", accountId: "acc_1", lastSyncAt: null } as const;
    expect(absenceWords(gone, now).text).toContain("The user must reconnect.");
    expect(absenceWords({ reason: "other_filters", count: 12, more: false }, now).text).toMatch(/^12 deliveries match/);
    expect(absenceWords({ reason: "unknown", what: "host" }, now).text).toContain("127.0.0.1:9000");
    expect(absenceWords({ reason: "unknown", what: "search" }, { ...now, filters: { q: "zzzz" } })).toEqual({
      title: "No matching deliveries",
      text: "No deliveries match “zzzz”. Search by a full ID, or by the start of an email, callback URL or path.",
    });
  });

  it("names the filters that are set, and no others", () => {
    const text = (filters: Parameters<typeof absenceWords>[1]["filters"]) =>
      absenceWords({ reason: "other_filters", count: 7, more: false }, { ...now, filters }).text;
    expect(text({ state: ["retrying"], host: "127.0.0.1:9000" })).toBe("7 deliveries match without the state filter.");
    const all = { state: ["failed"], from: "2026-11-20T10:00:00Z", errorClass: ["dns"], q: "acme.io" };
    expect(text(all)).toBe("7 deliveries match without the state, time and error filters.");
  });

  it("says what was searched, and how to widen it, where no filter names an owner", () => {
    const text = (filters: Parameters<typeof absenceWords>[1]["filters"]) =>
      absenceWords({ reason: "other_filters", count: 7, more: false }, { ...now, filters }).text;
    expect(text({ state: ["failed"] })).toBe(
      "Searched the deliveries of all applications for state failed. 7 deliveries match without the state filter. Remove it to see more. Deliveries are kept for 30 days after they end.",
    );
    expect(text({ state: ["queued", "retrying"], errorClass: ["timeout"] })).toContain(
      "for state queued or retrying and error timed out. 7 deliveries match without the state and error filters. Remove one of them",
    );
    expect(absenceWords({ reason: "nothing" }, { ...now, filters: { state: ["failed"] } }).text).toBe(
      "Searched the deliveries of all applications for state failed. Deliveries are kept for 30 days after they end.",
    );
  });
});

import { expect, it } from "vitest";
import { failuresOf } from "@/components/dashboard/requests/failure";
import type { StoredBody } from "@/server/services/staff/requests/shapes";

const answered = { status: 422, responseHeaders: {}, responseBody: null, errorKeys: [] };
const issue = (key: string, description: string) => ({ key, description });

it("a 422 says field, key and sentence of each issue, in the response's order", () => {
  const errors = {
    start: [issue("errors.required", "start is required")],
    tzid: [issue("errors.invalid_tzid", "tzid is not a time zone"), issue("errors.required", "[redacted]")],
  };
  expect(failuresOf({ ...answered, responseBody: { errors } })).toEqual([
    { field: "start", key: "errors.required", sentence: "start is required" },
    { field: "tzid", key: "errors.invalid_tzid", sentence: "tzid is not a time zone" },
    { field: "tzid", key: "errors.required", sentence: null },
  ]);
});

it("a body that was cut says what is left of it", () => {
  const errors = { base: [issue("errors.invalid_json", "The body must be a JSON object")] };
  expect(failuresOf({ ...answered, responseBody: { truncated: true, body: { errors } } })).toHaveLength(1);
});

it("an OAuth error says its code and description", () => {
  const responseBody = { error: "invalid_grant", error_description: "The code is expired" };
  expect(failuresOf({ ...answered, status: 400, responseBody })).toEqual([
    { field: null, key: "invalid_grant", sentence: "The code is expired" },
  ]);
});

it("a response without a body says what its status means, and a 429 for how long to wait", () => {
  const [throttled] = failuresOf({ ...answered, status: 429, responseHeaders: { "retry-after": "12" } });
  expect(throttled?.sentence).toBe("Rate limit reached. Retry-After was 12 s.");
  expect(failuresOf({ ...answered, status: 401 })).toHaveLength(1);
  expect(failuresOf({ ...answered, status: 418 })).toEqual([]);
});

it("a request of a disabled application says that it is disabled, and not that its token expired", () => {
  expect(failuresOf({ ...answered, status: 401, errorKeys: ["application_disabled"] })).toEqual([
    { field: null, key: "application_disabled", sentence: expect.stringContaining("The application is disabled.") },
  ]);
});

it("a request that succeeded has no failure, whatever its body says", () => {
  expect(
    failuresOf({ ...answered, status: 200, responseBody: { error: "x", errors: { a: [issue("k", "d")] } } }),
  ).toEqual([]);
});

it("a body of any shape is read", () => {
  const bodies: StoredBody[] = ["text", 1, [], { errors: [] }, { errors: { a: "x", b: [null, 1, {}] } }, { error: 1 }];
  for (const responseBody of bodies) {
    expect(() => failuresOf({ ...answered, responseBody })).not.toThrow();
  }
});

import { expect } from "vitest";
import type { ApiResponse } from "./service";

const oauthErrors = [
  "invalid_client",
  "invalid_grant",
  "invalid_request",
  "unsupported_grant_type",
  "unauthorized_client",
  "invalid_scope",
  "access_denied",
  "server_error",
];

/** A status with an empty body. */
export function expectEmpty(answer: ApiResponse, status: number): void {
  expect({ status: answer.status, text: answer.text }).toEqual({ status, text: "" });
}

/** 401, empty, with the documented WWW-Authenticate. */
export function expectSignedOut(answer: ApiResponse, error: "invalid_token" | "invalid_request"): void {
  expectEmpty(answer, 401);
  expect(answer.headers.get("www-authenticate")).toMatch(
    new RegExp(`^Bearer realm="svc", error="${error}", error_description="[^"]+"$`),
  );
}

/** 429, empty, with Retry-After in whole seconds. */
export function expectThrottled(answer: ApiResponse, retryAfter: number): void {
  expectEmpty(answer, 429);
  expect(answer.headers.get("retry-after")).toBe(String(retryAfter));
}

/** A 422 in the documented form, whatever its mistakes. */
export function expectWellFormed422(answer: ApiResponse): void {
  expect(answer.status).toBe(422);
  expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
  expect(Object.keys(answer.json)).toEqual(["errors"]);
  const fields = Object.entries<{ key: string; description: string }[]>(answer.json.errors);
  expect(fields).not.toEqual([]);
  for (const [field, issues] of fields) {
    expect(field).not.toBe("");
    expect(issues).not.toEqual([]);
    for (const issue of issues) {
      expect(Object.keys(issue).sort()).toEqual(["description", "key"]);
      expect(issue.key).toMatch(/^errors\.[a-z_]+$/);
      expect(issue.description).toMatch(/\S/);
    }
  }
}

/** A 422 with exactly these mistakes: `{ "location.description": "errors.too_big" }`; several of one field as an array. */
export function expectIssues(answer: ApiResponse, mistakes: Record<string, string | string[]>): void {
  expect(answer).toMatchObject({ status: 422 });
  expectWellFormed422(answer);
  const found = Object.entries<{ key: string }[]>(answer.json.errors).map(([field, issues]) => [
    field,
    issues.map(({ key }) => key),
  ]);
  const expected = Object.entries(mistakes).map(([field, keys]) => [field, [keys].flat()]);
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected));
}

/** 400 `{ error, error_description? }` of the OAuth endpoints. */
export function expectOAuthError(answer: ApiResponse, error?: string): void {
  expect(answer).toMatchObject({ status: 400 });
  expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
  expect(Object.keys(answer.json).filter((name) => name !== "error_description")).toEqual(["error"]);
  expect(answer.json.error_description ?? "none").toMatch(/\S/);
  expect(oauthErrors).toContain(answer.json.error);
  if (error) expect(answer.json.error).toBe(error);
}

/** An answer without what differs between any two answers: to show that two cases cannot be told apart. */
export function comparable({ status, headers, text }: ApiResponse) {
  const varying = new Set(["date", "svc-request-id"]);
  return { status, text, headers: [...headers].filter(([name]) => !varying.has(name)).sort() };
}

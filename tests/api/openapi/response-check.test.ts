import { describe, expect, it } from "vitest";
import "../service";
import { checkResponse } from "./response-check";

const id = { "svc-request-id": "req_0123456789abcdef01234567" };
const limits = { "ratelimit-limit": "150", "ratelimit-remaining": "149", "ratelimit-reset": "1" };
const json = { "content-type": "application/json; charset=utf-8" };
const account = {
  account_id: "acc_0123456789abcdef01234567",
  type: "account",
  email: "ada@acme.io",
  name: "Ada",
  scope: "read_write",
  default_tzid: "Etc/UTC",
};

function accountAnswer(body: unknown, { status = 200, headers = {} }: { status?: number; headers?: object } = {}) {
  const received = { ...id, ...limits, ...json, ...headers } as Record<string, string>;
  return { status, headers: new Headers(received), text: body === undefined ? "" : JSON.stringify(body) };
}

const get = { method: "GET", path: "/v1/account?tzid=Etc/UTC" };

describe("what every API test asks of an answer", () => {
  it("lets an answer through that the document has", () => {
    expect(() => checkResponse(get, accountAnswer({ account }))).not.toThrow();
    expect(() => checkResponse({ ...get, method: "HEAD" }, accountAnswer(undefined))).not.toThrow();
  });

  it.each([
    [
      "a status that it does not have",
      accountAnswer(undefined, { status: 418 }),
      /no such answer: GET \/v1\/account 418/,
    ],
    [
      "a field that is missing",
      accountAnswer({ account: { ...account, name: undefined } }),
      /required property 'name'/,
    ],
    ["a field that nobody documented", accountAnswer({ account: { ...account, id: 1 } }), /additional properties/],
    ["another value", accountAnswer({ account: { ...account, type: "team" } }), /allowed values/],
    ["another content type", accountAnswer({ account }, { headers: { "content-type": "text/html" } }), /content type/],
    [
      "a header that is not a number",
      accountAnswer({ account }, { headers: { "ratelimit-reset": "soon" } }),
      /integer/,
    ],
    [
      "a body where none should be",
      accountAnswer({ error: "gone" }, { status: 429, headers: { "retry-after": "1" } }),
      /should be empty/,
    ],
    ["no Retry-After", accountAnswer(undefined, { status: 429 }), /Retry-After is missing/],
  ])("refuses %s", (_, answer, message) => {
    expect(() => checkResponse(get, answer)).toThrow(message);
  });

  it("refuses a key that the endpoint does not have among its errors", () => {
    const refusal = { errors: { summary: [{ key: "errors.too_many_channels", description: "x" }] } };
    const write = { method: "POST", path: "/v1/calendars/cal_1/events" };
    expect(() => checkResponse(write, accountAnswer(refusal, { status: 422 }))).toThrow(/allowed values/);
    expect(() =>
      checkResponse({ method: "POST", path: "/v1/channels" }, accountAnswer(refusal, { status: 422 })),
    ).not.toThrow();
  });

  it("expects 405 of methods that the document does not have", () => {
    expect(() => checkResponse({ ...get, method: "DELETE" }, accountAnswer(undefined, { status: 202 }))).toThrow(/405/);
    expect(() =>
      checkResponse(
        { ...get, method: "DELETE" },
        accountAnswer(undefined, { status: 405, headers: { allow: "GET, HEAD" } }),
      ),
    ).not.toThrow();
  });
});

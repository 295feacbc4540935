import { createElement, type ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { beforeAll, describe, expect, it } from "vitest";
import { ErrorTable } from "@/components/dashboard/requests/error-table";
import { RequestPanel } from "@/components/dashboard/requests/request-panel";
import { RequestTable } from "@/components/dashboard/requests/request-table";
import { processServices } from "@/server/http/process-services";
import { tally } from "@/server/http/request-log/tally";
import { applicationId } from "../grants";
import { ownDatabase } from "../own-database";
import { call, type Opened, openCalendar } from "../service";
import { newOperator, type Operator } from "./staff-caller";

ownDatabase();

let calendar: Opened;
let staff: Operator;

beforeAll(async () => {
  calendar = await openCalendar();
  const path = `/v1/calendars/${calendar.calendarId}/events`;
  const headers = { authorization: `Bearer ${calendar.accessToken}` };
  const ask = (fault: string, method: string, on: string, json?: object) =>
    call(method, on, { headers: { ...headers, "svc-sandbox-fault": fault }, ...(json && { json }) });
  await ask("rate_limited", "GET", "/v1/account");
  await ask("unavailable", "GET", "/v1/profiles");
  await ask("slow=1", "GET", "/v1/calendars");
  await ask("write_refused", "POST", path, { event_id: "invalid" });
  await ask("explode", "GET", "/v1/channels");
  await processServices().requestLog.flush(10_000);
  // Not before: an operator asks at the time at which they signed in, and requests of a later minute are not among their figures.
  staff = await newOperator();
});

const drawn = (element: ReactNode) => renderToStaticMarkup(element);
const logged = async () => (await staff.api.requests.list({ account: calendar.accountId })).items;
const byEndpoint = async (endpoint: string) => {
  const row = (await logged()).find((each) => each.endpoint === endpoint && each.status !== 200);
  if (!row) throw new Error(`nothing was logged of ${endpoint}`);
  return row;
};

describe("a fault that a client of the sandbox asked for", () => {
  it("is in the log with its name, beside what was really wrong, and an unknown one is none", async () => {
    const rows = (await logged()).map(({ endpoint, status, errorKeys }) => [endpoint, status, errorKeys]);
    expect(rows).toEqual(
      expect.arrayContaining([
        ["/v1/account", 429, ["sandbox.rate_limited"]],
        ["/v1/profiles", 503, ["sandbox.unavailable"]],
        ["/v1/calendars", 200, ["sandbox.slow"]],
        [
          "/v1/calendars/{calendar_id}/events",
          422,
          expect.arrayContaining(["sandbox.write_refused", "errors.required"]),
        ],
        ["/v1/channels", 200, []],
      ]),
    );
    expect((await staff.api.requests.list({ errorKey: "sandbox.slow" })).items).toHaveLength(1);
  });

  it("is marked in the list, among the errors and on its page, which shows the header", async () => {
    const [now, params] = [Date.now(), {}];
    const rows = await logged();
    const list = drawn(createElement(RequestTable, { path: "/dashboard/requests", rows, params, now }));
    expect(list.match(/>Simulated error</g)).toHaveLength(4);
    const groups = await staff.api.requests.errors({});
    const errors = drawn(createElement(ErrorTable, { path: "/", groups, range: "24h", by: "error", now }));
    expect(errors).toMatch(/sandbox\.rate_limited<\/span> <span[^>]*>Simulated error</);
    const request = await staff.api.requests.get({ id: (await byEndpoint("/v1/account")).id });
    expect(request.requestHeaders["svc-sandbox-fault"]).toBe("rate_limited");
    expect(request.responseHeaders["svc-sandbox-fault"]).toBe("rate_limited");
    const page = drawn(createElement(RequestPanel, { closeHref: "/", request, now }));
    expect(page).toContain("Simulated error");
    expect(page).toContain("No rate limit was reached.");
    expect(page).not.toContain("Rate limit reached");
  });

  it("counts as a request, and not as an error or as rate-limited", async () => {
    const { requestsPerMinute, throttledApplications } = await staff.api.overview.show();
    const sum = (each: (minute: (typeof requestsPerMinute)[number]) => number) =>
      requestsPerMinute.reduce((total, minute) => total + each(minute), 0);
    expect(throttledApplications).toEqual([]);
    expect(sum(({ errors }) => errors)).toBe(1);
    expect(sum(({ count }) => count)).toBe((await logged()).length + 1); // the application calendar's opening
  });

  it("counts no differently where there is no room for its row", async () => {
    const counts = tally();
    const request = { at: new Date(0), status: 429, applicationId: await applicationId(calendar.application) };
    counts.add({ ...request, errorKey: "sandbox.rate_limited" });
    counts.add({ ...request, errorKeys: ["sandbox.unavailable"], status: 503 });
    counts.add({ ...request, errorKey: null });
    expect(counts.take()?.counts).toMatchObject([{ requests: 3, clientErrors: 1, serverErrors: 0, throttled: 1 }]);
  });
});

it("a secret in the header is hidden all the same", async () => {
  const secret = `at_${"a1B2".repeat(10)}`;
  await call("GET", "/v1/account", {
    headers: { authorization: `Bearer ${calendar.accessToken}`, "svc-sandbox-fault": secret },
  });
  await processServices().requestLog.flush(10_000);
  const [row] = await logged();
  const { requestHeaders } = await staff.api.requests.get({ id: row?.id ?? "" });
  expect(requestHeaders["svc-sandbox-fault"]).toBe("[redacted]");
});

import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { CausedParts } from "@/components/dashboard/requests/caused";
import type { RequestDetail } from "@/server/services/staff/requests/shapes";

const READ = "Read only. Nothing was changed.";
const caused: RequestDetail["caused"] = { deliveries: [], events: [], channel: null, accountId: null };

function outcomeOf(request: Pick<RequestDetail, "method" | "endpoint" | "status" | "accountId">): string {
  const detail = { ...request, caused, at: "2026-11-21T09:00:00Z" } as RequestDetail;
  return renderToStaticMarkup(createElement(CausedParts, { request: detail })).replace(/<[^>]+>/g, "");
}

describe("the outcome of a request", () => {
  it.each(["acc_1", null])("that looked for free time is that it only read, for %s", (accountId) => {
    const search = { method: "POST", endpoint: "/v1/availability", status: 200, accountId };
    expect(outcomeOf(search)).toBe(READ);
    expect(outcomeOf({ ...search, status: 422 })).toBe("Rejected. Nothing was changed.");
    expect(outcomeOf({ ...search, method: "GET", endpoint: "/v1/events" })).toBe(READ);
  });

  it("that wrote links to what followed", () => {
    const write = { method: "POST", endpoint: "/v1/calendars/{calendar_id}/events", status: 202, accountId: "acc_1" };
    expect(outcomeOf(write)).toContain("Deliveries of this account in the next 2 minutes");
    expect(outcomeOf({ ...write, accountId: null })).toBe("No changes are visible anymore.");
  });
});

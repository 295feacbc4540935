import { describe, expect, it, vi } from "vitest";
import { processServices } from "@/server/http/process-services";
import { STAFF_CALLS } from "@/server/http/rate-limit/buckets";
import { applicationId } from "../grants";
import { ownDatabase } from "../own-database";
import { expectEmpty } from "../responses";
import { call, newProcessServices, openCalendar } from "../service";
import { eventsPath } from "../written-series";
import { type Browser, laterClock, newOperator, signedInBrowser } from "./browser";
import { cookieOf, fromOurPage, operate } from "./graphql-client";

ownDatabase();

const event = { event_id: "e", summary: "S", start: "2026-12-01T09:00:00Z", end: "2026-12-01T10:00:00Z" };
const queue = () => processServices().admission.requests;

/** So many calls in one request. */
function batch(staff: Browser, names: readonly string[]) {
  const headers = { ...fromOurPage(), "x-trpc-source": "dashboard", cookie: cookieOf(staff) };
  return call("GET", `/api/trpc/${names.join(",")}?batch=1&input=%7B%7D`, { headers });
}

const times = (count: number, name = "session.me") => Array.from({ length: count }, () => name);

describe("operators", () => {
  it("take turns at the database as one more application does: what one asks for holds up nobody else", async () => {
    const calendar = await openCalendar();
    const developer = await newOperator({
      role: "developer",
      applications: [await applicationId(calendar.application)],
    });
    const [busy, other] = [await signedInBrowser(developer), await signedInBrowser(await newOperator())];
    const own = { applicationId: "staff", accountId: developer.id, writes: false };
    const slots = [await queue().enter(own), await queue().enter(own)];
    let answered = 0;
    const asked = Array.from({ length: 8 }, () =>
      batch(busy, times(20, "overview.show")).finally(() => {
        answered += 1;
      }),
    );
    await vi.waitFor(() => expect(queue().waiting()).toBeGreaterThan(20), { timeout: 60_000 });
    expectEmpty(await calendar.post(eventsPath(calendar.calendarId), event), 202);
    expect((await calendar.get("/v1/account")).status).toBe(200);
    slots.pop()?.leave();
    expect((await other.query("overview.show")).status).toBe(200);
    slots.pop()?.leave();
    await Promise.all(asked);
    expect(answered).toBe(8);
    expect(queue().waiting()).toBe(0);
  });

  it("have no more than two statements at the database at once, of all calls", async () => {
    const person = await newOperator({ role: "admin" });
    const staff = await signedInBrowser(person);
    const seen = { running: 0, most: 0, reads: 0, writes: 0 };
    const real = queue();
    processServices().admission.requests = {
      ...real,
      async enter(applicant, client) {
        const slot = await real.enter(applicant, client);
        if (applicant.accountId !== person.id) return slot;
        seen.running += 1;
        seen.most = Math.max(seen.most, seen.running);
        seen[applicant.writes ? "writes" : "reads"] += 1;
        return {
          ...slot,
          leave() {
            seen.running -= 1;
            slot.leave();
          },
        };
      },
    };
    try {
      await batch(staff, times(10, "overview.show"));
      expect((await operate("{ applications { edges { node { id } } } }", { from: staff })).status).toBe(200);
      expect((await staff.get("/dashboard/requests/export", fromOurPage())).status).toBe(200);
      const created = await staff.mutate("operators.create", {
        ...{ email: `new-${person.email}`, name: "New", role: "support", password: "a long enough password" },
      });
      expect(created.status).toBe(200);
    } finally {
      processServices().admission.requests = real;
    }
    expect(seen).toMatchObject({ most: 2, running: 0 });
    expect([seen.reads > 40, seen.writes > 0]).toEqual([true, true]);
  });
});

describe("the calls of an operator", () => {
  it("are counted, each of a batch too, and more than may be are refused until there is room again", async () => {
    await newProcessServices();
    const clock = laterClock();
    const staff = await signedInBrowser(await newOperator());
    for (let left = STAFF_CALLS.burst; left > 0; left -= 20) {
      const { json } = await batch(staff, times(20));
      expect(json.filter((each: { error?: unknown }) => each.error)).toEqual([]);
    }
    const refused = await batch(staff, times(20));
    expect(new Set(refused.json.map((each: { error: { message: string } }) => each.error.message))).toEqual(
      new Set(["Too many attempts. Try again in 1 s."]),
    );
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "1"]);
    const read = await operate("{ applications { edges { node { id } } } }", { from: staff });
    expect(read.json.errors[0].extensions.code).toBe("THROTTLED");
    expect((await staff.get("/dashboard/requests/export", fromOurPage())).status).toBe(429);
    expect((await (await signedInBrowser(await newOperator())).query("session.me")).status).toBe(200);
    clock.advance(10_000);
    expect((await staff.query("session.me")).status).toBe(200);
  });

  it("beyond those are refused a second late, so that asking again at once is no use", async () => {
    await newProcessServices();
    laterClock();
    const staff = await signedInBrowser(await newOperator());
    for (let left = STAFF_CALLS.burst; left > 0; left -= 20) await batch(staff, times(20));
    const began = performance.now();
    const statuses = await Promise.all(Array.from({ length: 8 }, async () => (await batch(staff, times(20))).status));
    expect(statuses).toEqual(Array.from({ length: 8 }, () => 429));
    expect(performance.now() - began).toBeGreaterThan(990);
  });

  it("of an export are counted before it begins: it is refused, or whole", async () => {
    await newProcessServices();
    laterClock();
    const staff = await signedInBrowser(await newOperator());
    const statuses: number[] = [];
    const most = STAFF_CALLS.burst / 20;
    for (let i = 0; i <= most; i += 1) {
      statuses.push((await staff.get("/dashboard/requests/export", fromOurPage())).status);
    }
    expect(statuses).toEqual([...Array.from({ length: most }, () => 200), 429]);
  });
});

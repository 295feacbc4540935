import { afterEach, describe, expect, it, vi } from "vitest";
import { context } from "@/server/context";
import { connect, db } from "@/server/db/client";
import type { Applicant } from "@/server/http/admission/queue";
import { health } from "@/server/http/health";
import { processServices } from "@/server/http/process-services";
import { latch } from "../fakes/latch";
import { storedAccount } from "../fakes/stored";
import { dayFromNow } from "./dates";
import { ownDatabase } from "./own-database";
import { expectEmpty } from "./responses";
import { type ApiResponse, call, openCalendar } from "./service";
import { browser, field, newOperator, signedInBrowser } from "./staff/browser";
import { cookieOf, fromOurPage, operate } from "./staff/graphql-client";
import { eventsOf, eventsPath, repeating } from "./written-series";

// A connection of this file's own is held on purpose.
ownDatabase();

const day = dayFromNow(3);
const event = { event_id: "e", summary: "S", start: `${day}T09:00:00Z`, end: `${day}T10:00:00Z`, tzid: "Etc/UTC" };

let giveBack: (() => Promise<void>) | undefined;
afterEach(async () => {
  await giveBack?.();
  giveBack = undefined;
});

/** The service gets a pool of one connection, for which it waits 200 ms. Gives how to hold it until the test is over. */
async function poolOfOne(): Promise<() => Promise<void>> {
  const before = db();
  const pool = connect(process.env.DATABASE_URL, { max: 1, connectionTimeoutMillis: 200 });
  // On a busy machine opening it alone may take longer than that.
  await vi.waitFor(() => pool.query("SELECT 1"), { timeout: 60_000 });
  context.database = pool;
  const ended = latch();
  let holding: Promise<unknown> = Promise.resolve();
  giveBack = async () => {
    context.database = before;
    ended.open();
    await holding;
    await pool.close();
  };
  return async () => {
    const held = latch();
    holding = pool.transaction(async () => {
      held.open();
      await ended.opened;
    });
    await Promise.race([held.opened, holding]);
  };
}

function expectBusy(answer: { status: number; text: string; headers: Headers }): void {
  expectEmpty(answer as Parameters<typeof expectEmpty>[0], 503);
  expect(Number(answer.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
}

describe("a busy database", () => {
  it("is a 503 that says how long to wait, for reads, writes, and endpoints with client credentials", async () => {
    const calendar = await openCalendar();
    const { clientId, clientSecret } = calendar.application;
    const hold = await poolOfOne();
    await hold();
    const credentials = { client_id: clientId, client_secret: clientSecret };
    expectBusy(await calendar.get("/v1/account"));
    expectBusy(await calendar.get("/v1/events", { tzid: "Etc/UTC" }));
    expectBusy(await calendar.post(eventsPath(calendar.calendarId), event));
    expectBusy(
      await call("POST", "/v1/application_calendars", { json: { ...credentials, application_calendar_id: "a" } }),
    );
    expectBusy(await call("POST", "/oauth/token/revoke", { json: { ...credentials, token: "x" } }));
    const page = await call("GET", `/oauth/authorize?client_id=${clientId}&response_type=code&redirect_uri=x`);
    expect([page.status, Number(page.headers.get("retry-after"))]).toEqual([503, expect.any(Number)]);
    const health = await call("GET", "/health");
    expect([health.status, health.headers.get("retry-after")]).toEqual([503, "5"]);
  });

  it.each<[string, (cookie: string) => Promise<ApiResponse>]>([
    ["the dashboard's procedures", (cookie) => staffGet("/api/trpc/session.me", cookie)],
    ["GraphQL", (cookie) => operate("{ __typename }", { headers: { cookie } })],
    ["an export", (cookie) => staffGet("/dashboard/requests/export", cookie)],
  ])("is a 503 that says how long to wait in what staff use, too: %s", async (_, ask) => {
    const cookie = cookieOf(await signedInBrowser(await newOperator()));
    const hold = await poolOfOne();
    await hold();
    const answer = await ask(cookie);
    expect([answer.status, Number(answer.headers.get("retry-after")) >= 1]).toEqual([503, true]);
  });

  it("is a 503 that says how long to wait when staff sign in", async () => {
    const visitor = browser();
    const csrfToken = field(await visitor.get("/dashboard/sign-in"), "csrfToken");
    const hold = await poolOfOne();
    await hold();
    const form = { email: "busy@acme.io", password: "a password", csrfToken };
    const answer = await visitor.post("/api/auth/callback/credentials", form);
    expect([answer.status, Number(answer.headers.get("retry-after")) >= 1]).toEqual([503, true]);
  });

  it("that is well again answers again, and nothing of before is left over", async () => {
    const calendar = await openCalendar();
    const hold = await poolOfOne();
    await hold();
    await Promise.all(Array.from({ length: 12 }, () => calendar.post(eventsPath(calendar.calendarId), event)));
    await giveBack?.();
    giveBack = undefined;
    expectEmpty(await calendar.post(eventsPath(calendar.calendarId), event), 202);
    expect(await eventsOf(calendar)).toHaveLength(1);
  });

  it("is answered as one that is gone is: 503, which says how long to wait", async () => {
    const calendar = await openCalendar();
    const before = db();
    const ended = connect(process.env.DATABASE_URL);
    await ended.close();
    context.database = ended;
    giveBack = async () => {
      context.database = before;
    };
    const answer = await calendar.get("/v1/account");
    expectEmpty(answer, 503);
    expect(answer.headers.get("retry-after")).toBe("5");
  });
});

it("readiness takes one connection, however many ask for it at once", async () => {
  const before = db();
  const waiting = latch();
  let looks = 0;
  const query: typeof before.query = async (...statement) => {
    looks += 1;
    await waiting.opened;
    return await before.query(...statement);
  };
  context.database = { ...before, query };
  giveBack = async () => {
    context.database = before;
  };
  const asked = Array.from({ length: 20 }, () => health());
  waiting.open();
  expect((await Promise.all(asked)).map(({ status }) => status)).toEqual(Array(20).fill(200));
  expect(looks).toBe(1);
  expect((await health()).status).toBe(200);
  expect(looks).toBe(2);
});

describe("one account's requests", () => {
  it("wait for each other without a connection, and another tenant's pass by", async () => {
    const [busy, other] = [await openCalendar(), await openCalendar()];
    const queue = processServices().admission.requests;
    const { applicationId } = await storedAccount(busy.accountId);
    const asked: Applicant = { applicationId, accountId: busy.accountId, writes: true };
    const place = await queue.enter(asked);
    let isAnswered = false;
    const writing = busy.post(eventsPath(busy.calendarId), event).then((answer) => {
      isAnswered = true;
      return answer;
    });
    for (let i = 0; i < 3; i++) {
      expectEmpty(await other.post(eventsPath(other.calendarId), event), 202);
      expect((await busy.get("/v1/account")).status).toBe(200);
    }
    expect(isAnswered).toBe(false);
    place.leave();
    expectEmpty(await writing, 202);
  });

  it("may be as many at once as its burst has: 60 ordinary writes are all carried out", async () => {
    const calendar = await openCalendar();
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, i) =>
        calendar.post(eventsPath(calendar.calendarId), { ...event, event_id: `${i}` }),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
    expect(await eventsOf(calendar)).toHaveLength(60);
  });

  it("that rewrite a long series again and again to other times are all carried out, one after another", async () => {
    const calendar = await openCalendar();
    const series = (minute: number) => ({
      ...event,
      start: `${day}T09:${String(minute).padStart(2, "0")}:00Z`,
      ...repeating({ frequency: "daily", count: 730 }),
    });
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, i) => calendar.post(eventsPath(calendar.calendarId), series(i))),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
  });
});

function staffGet(path: string, cookie: string): Promise<ApiResponse> {
  return call("GET", path, { headers: { ...fromOurPage(), "x-trpc-source": "dashboard", cookie } });
}

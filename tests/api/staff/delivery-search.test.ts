import { beforeEach, describe, expect, it } from "vitest";
import { db } from "@/server/db/client";
import type { DeliveryFilters } from "@/server/services/staff/deliveries/filters";
import { fakeClock } from "../../fakes/clock";
import { changeAccount, setConnected } from "../../fakes/stored";
import {
  addChannels,
  addDeliveries,
  changeDeliveries,
  changeDelivery,
  closeChannelAsGone,
  dropDeliveries,
} from "../../fakes/stored-deliveries";
import { applicationId, connectAccount } from "../grants";
import { ownDatabase } from "../own-database";
import { newApplication, openCalendar } from "../service";
import { newOperator, type Operator } from "./staff-caller";

ownDatabase(() => ({ LOG_LEVEL: "fatal" }));
let staff: Operator;

beforeEach(async () => {
  fakeClock();
  staff = await newOperator();
});

let made = 0;

/** An account whose email is given, with a channel for each callback URL and a delivery on each. */
async function listening(email: string, ...callbackUrls: string[]) {
  const application = await newApplication();
  const { accountId, profileId } = await connectAccount(application);
  await changeAccount(accountId, { email });
  for (const callbackUrl of callbackUrls) {
    made += 1;
    const [id = ""] = await addChannels(accountId, [{ id: `chn_s${made}`, callbackUrl }]);
    const arrived = { state: "delivered" as const, lastStatus: 200, finishedAt: new Date() };
    await addDeliveries(id, [{ id: `whd_s${made}`, host: new URL(callbackUrl).host, ...arrived }]);
  }
  return { accountId, profileId, application: await applicationId(application) };
}

const endpoints = async (filters: object) => {
  const { items } = await staff.api.deliveries.list(filters as { q: string });
  return items.map(({ endpoint }) => endpoint).sort();
};

describe("the search of deliveries", () => {
  it("finds endpoints by how they begin and by their domain, however their URL is written, and never by their query", async () => {
    await listening("a@search.io", "https://Hooks.Search.io/calendar/7?token=s3cret#x", "https://search.io:443/");
    const [long, short] = ["hooks.search.io/calendar/7", "search.io"];
    const cases: [string, string[]][] = [
      ["hooks.search.io", [long]],
      ["HOOKS.search", [long]],
      ["search.io", [long, short]],
      ["https://search.io", [long, short]],
      ["search.io/", [short]],
      ["hooks.search.io/cal", [long]],
      ["https://hooks.search.io/calendar/7?token=s3cret", [long]],
      ["https://hooks.search.io/calendar/7?token=guessed", [long]],
      ["hooks.search.io/Cal", []],
      ["hooks_search.io", []],
      ["hooks%", []],
      ["s3cret", []],
      ["arch.io", []],
      ["/", []],
    ];
    for (const [q, expected] of cases) expect([q, await endpoints({ q })]).toEqual([q, expected]);
  });

  it("finds endpoints by how their path begins, with or without their host, and by whole segments of it", async () => {
    await listening(
      "p@search-p.io",
      "https://p.search-p.io/Inbound/Calendar_1?key=s3cret",
      "https://q.search-p.io/inbound",
    );
    const [upper, lower] = ["p.search-p.io/Inbound/Calendar_1", "q.search-p.io/inbound"];
    const cases: [string, string[]][] = [
      ["/Inbound", [upper]],
      ["/inbound", [lower]],
      ["/Inbound/Calendar_1", [upper]],
      ["/Inbound/Calendar_1?key=guessed", [upper]],
      ["/Inbound/Calendar.1", []],
      ["/Calendar_1", [upper]],
      ["Inbound/Calendar_1", [upper]],
      ["/Calendar", []],
      ["/inb%", []],
      ["//inbound", []],
      ["/", []],
    ];
    for (const [q, expected] of cases) expect([q, await endpoints({ q })]).toEqual([q, expected]);
  });

  it("finds an application calendar by how the application's name for it begins, together with endpoints that begin so", async () => {
    const { accountId } = await listening("r@search-r.io", "https://r.search-r.io/hook");
    const name = (id: string) => changeAccount(accountId, { kind: "application_calendar", applicationCalendarId: id });
    await listening("s@search-r.io", "https://room-9.search-r.io/");
    await name("Room-9 %_a");
    for (const q of ["Room-9 ", "Room-9 %_a"]) expect([q, await endpoints({ q })]).toEqual([q, ["r.search-r.io/hook"]]);
    for (const q of ["oom-9", "Room-9 x", "Room_9"]) expect([q, await endpoints({ q })]).toEqual([q, []]);
    await name("room-9");
    expect(await endpoints({ q: "room-9" })).toEqual(["r.search-r.io/hook", "room-9.search-r.io"]);
    await name("room.9@acme.io/first floor");
    expect(await endpoints({ q: "room.9@acme.io/first" })).toEqual(["r.search-r.io/hook"]);
    await dropDeliveries({ accountId });
    expect(await staff.api.deliveries.absence({ q: "room.9@acme.io/" })).toEqual({ reason: "nothing" });
  });

  it("finds endpoints in other scripts as they are written and in punycode", async () => {
    await listening("b@search.io", "https://xn--bcher-kva.search-b.io/hook");
    expect(await endpoints({ q: "bücher.search-b.io" })).toEqual(["xn--bcher-kva.search-b.io/hook"]);
    expect(await endpoints({ q: "xn--bcher-kva.search-b.io/h" })).toEqual(["xn--bcher-kva.search-b.io/hook"]);
  });

  it("finds the deliveries of an email, and every id", async () => {
    const { accountId, application } = await listening("Anna.Lee@search-c.io", "https://c.search-c.io/hook");
    const id = `whd_s${made}`;
    for (const q of ["anna.lee@search-c.io", "ANNA.LEE@", accountId, application, id, `chn_s${made}`])
      expect([q, await endpoints({ q })]).toEqual([q, ["c.search-c.io/hook"]]);
    expect(await endpoints({ q: "anna@search-c.io" })).toEqual([]);
    expect(await endpoints({ q: "anna_lee@search-c.io" })).toEqual([]);
    expect(await endpoints({ account: "anna.lee@search-c.io" })).toEqual(["c.search-c.io/hook"]);
    expect(await endpoints({ account: "anna.lee@" })).toEqual([]);
    expect(await endpoints({ q: "anna.lee@search-c.io", application: "app_none" })).toEqual([]);
    expect(await endpoints({ q: "c.search-c.io", account: accountId, state: ["failed"] })).toEqual([]);
  });

  it("uses the indexes of channels", async () => {
    await db().query(
      `INSERT INTO channels (id, account_id, callback_url, calendar_ids, sealed_secret)
SELECT 'chn_x' || i, (SELECT id FROM accounts LIMIT 1), 'https://h' || i || '.many.io/' || i, '{}', '' FROM generate_series(1, 3000) i`,
    );
    await db().query("ANALYZE channels");
    const host = `lower(regexp_replace(substring(c.callback_url from '^[^:]*://([^/?#]*)'), '\\.?(:443)?$', ''))`;
    const path = `coalesce(substring(c.callback_url from '^[^:]*://[^/?#]*(/[^?#]*)'), '')`;
    const plan = await db().query<{ "QUERY PLAN": string }>(
      `EXPLAIN SELECT c.id FROM channels c WHERE (${host} || ${path}) LIKE 'h77.many.io%' OR reverse(${host}) LIKE 'oi.ynam.77h.%' OR ${path} LIKE '/77%'`,
    );
    const text = plan.map((line) => line["QUERY PLAN"]).join("\n");
    expect(text).toContain("channels_of_endpoint");
    expect(text).toContain("channels_of_domain");
    expect(text).toContain("channels_of_path");
    await db().query(
      `INSERT INTO accounts (id, application_id, kind, name, email, application_calendar_id)
SELECT 'apc_x' || i, (SELECT id FROM applications LIMIT 1), 'application_calendar', '', i || '@many.io', 'many-' || i FROM generate_series(1, 3000) i`,
    );
    await db().query("ANALYZE accounts");
    const named = await db().query<{ "QUERY PLAN": string }>(
      "EXPLAIN SELECT id FROM accounts WHERE lower(email) LIKE lower(NULL) OR application_calendar_id LIKE 'many-77%' LIMIT 1000",
    );
    expect(named.map((line) => line["QUERY PLAN"]).join("\n")).toContain("accounts_calendar_name");
  });
});

describe("the class of a status code", () => {
  it("holds its first code and its last", async () => {
    const codes = [200, 299, 300, 399, 400, 499, 500, 599];
    const { application } = await listening("k@search.io", ...codes.map((code) => `https://k.search.io/${code}`));
    const state = (code: number) => (code < 300 ? "delivered" : "failed");
    for (const code of codes) {
      const callbackUrl = `https://k.search.io/${code}`;
      await changeDeliveries({ channel: { callbackUrl } }, { lastStatus: code, state: state(code) });
    }
    for (const first of [200, 300, 400, 500]) {
      const found = await endpoints({ application, statusClass: [`${first / 100}xx`] });
      expect(found).toEqual([`k.search.io/${first}`, `k.search.io/${first + 99}`]);
    }
  });
});

describe("what is pending", () => {
  it("is queued until an attempt failed, then retrying, and each is found by itself", async () => {
    const { application } = await listening(
      "d@search.io",
      ...["queued", "retrying", "again", "failed"].map((name) => `https://d.search.io/${name}`),
    );
    const id = (n: number) => `whd_s${made - 4 + n}`;
    await changeDelivery(id(1), { state: "pending", lastStatus: null });
    await changeDelivery(id(2), { state: "pending", lastStatus: 503, attempts: 2 });
    await changeDelivery(id(3), { state: "pending", lastStatus: 200, replayFrom: 1, replayState: "delivered" });
    await changeDelivery(id(4), { state: "failed", lastStatus: null, lastError: "timeout" });
    const names = async (state: DeliveryFilters["state"]) =>
      (await endpoints({ application, state })).map((endpoint) => endpoint.slice("d.search.io/".length));
    expect(await names(["queued"])).toEqual(["again", "queued"]);
    expect(await names(["retrying"])).toEqual(["retrying"]);
    expect(await names(["queued", "retrying"])).toEqual(["again", "queued", "retrying"]);
    expect(await names(["pending"])).toEqual(["again", "queued", "retrying"]);
    expect(await names(["retrying", "failed"])).toEqual(["failed", "retrying"]);
    expect(await names(["queued", "failed"])).toEqual(["again", "failed", "queued"]);
    const { items } = await staff.api.deliveries.list({ application });
    expect(items.filter(({ retrying }) => retrying).map(({ endpoint }) => endpoint)).toEqual(["d.search.io/retrying"]);
    expect(await staff.api.deliveries.count({ application, state: ["queued"] })).toEqual({ count: 2, more: false });
  });
});

describe("an empty list of deliveries", () => {
  it("says that what a filter names does not exist", async () => {
    const unknown = (what: string) => ({ reason: "unknown", what });
    const absence = staff.api.deliveries.absence;
    expect(await absence({ account: "nobody@search.io" })).toEqual(unknown("account"));
    expect(await absence({ account: "acc_000000000000000000000000" })).toEqual(unknown("account"));
    expect(await absence({ application: "app_none" })).toEqual(unknown("application"));
    expect(await absence({ channel: "chn_none" })).toEqual(unknown("channel"));
    expect(await absence({ host: "127.0.0.1", state: ["retrying"] })).toEqual(unknown("host"));
    expect(await absence({ q: "whd_none" })).toEqual(unknown("delivery"));
    expect(await absence({ q: "nobody@" })).toEqual(unknown("search"));
    expect(await absence({ q: "nowhere.search.io" })).toEqual(unknown("search"));
  });

  it("says that the account has no open channel, or is disconnected, or that other filters leave nothing", async () => {
    const absence = staff.api.deliveries.absence;
    const bare = await listening("e@search.io");
    expect(await absence({ account: "e@search.io" })).toEqual({ reason: "no_channel", accountId: bare.accountId });
    const { accountId, profileId } = await listening("f@search.io", "https://f.search.io/");
    expect(await absence({ account: accountId, state: ["failed"] })).toEqual({
      reason: "other_filters",
      count: 1,
      more: false,
    });
    await dropDeliveries({ accountId });
    expect(await absence({ q: "f@search.io" })).toEqual({ reason: "nothing" });
    await setConnected(profileId, false);
    expect(await absence({ account: accountId })).toEqual({ reason: "disconnected", accountId, lastSyncAt: null });
    await closeChannelAsGone(`chn_s${made}`, new Date("2026-11-20T10:00Z"));
    expect(await absence({ account: accountId })).toEqual({
      reason: "channels_closed",
      closedAt: "2026-11-20T10:00:00.000Z",
      closedBy: "gone",
    });
    expect(await absence({})).toMatchObject({ reason: "other_filters" });
    await openCalendar();
  });
});

describe("a full list of deliveries", () => {
  it("says that its account is disconnected, or has no open channel, whatever else narrows it", async () => {
    const { accountId, profileId } = await listening("g@search.io", "https://g.search.io/");
    const channel = `chn_s${made}`;
    const trouble = staff.api.deliveries.trouble;
    expect(await trouble({ account: accountId })).toBeNull();
    await setConnected(profileId, false);
    const disconnected = { reason: "disconnected", accountId, lastSyncAt: null };
    for (const filters of [{ account: accountId }, { q: "g@search.io" }, { channel }])
      expect(await trouble({ ...filters, state: ["delivered"] })).toEqual(disconnected);
    await closeChannelAsGone(channel);
    expect(await trouble({ channel })).toMatchObject({ reason: "channels_closed", closedBy: "gone" });
    expect(await trouble({})).toBeNull();
    expect(await trouble({ channel: "chn_none" })).toBeNull();
  });
});

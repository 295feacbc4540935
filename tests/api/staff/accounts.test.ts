import { randomBytes } from "node:crypto";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { db } from "@/server/db/client";
import type { Work } from "@/server/db/wake";
import { disconnectProfile } from "@/server/store/profiles/connection-state";
import { fakeClock } from "../../fakes/clock";
import { setConnected } from "../../fakes/stored";
import { dayFromNow } from "../dates";
import { applicationId, connectAccount, connectedWithTokens, revoke, withToken } from "../grants";
import { providerCalendar } from "../provider-calendar";
import { call, newApplication, openCalendar } from "../service";
import { write } from "../written-series";
import { auditOf, newOperator, type Operator, refusal, stranger } from "./staff-caller";

const DAY = dayFromNow(3);
const meeting = {
  event_id: "m1",
  summary: "Planning",
  start: `${DAY}T09:00:00Z`,
  end: `${DAY}T10:00:00Z`,
  tzid: "Etc/UTC",
};

let staff: Operator;
let admin: Operator;

beforeAll(async () => {
  staff = await newOperator();
  admin = await newOperator("admin");
});

/** The kinds of work that were woken from now on. */
function wokenWork(): Work[] {
  const woken: Work[] = [];
  const before = globalThis.almanacWake;
  globalThis.almanacWake = (work) => woken.push(work);
  onTestFinished(() => {
    globalThis.almanacWake = before;
  });
  return woken;
}

async function accountOf(calendarId: string): Promise<string> {
  const [row] = await db().query<{ id: string }>("SELECT account_id AS id FROM calendars WHERE id = $1", [calendarId]);
  return row?.id ?? "";
}

describe("the list of accounts", () => {
  it("is for members of staff", async () => {
    expect(await refusal(stranger().accounts.list({}))).toMatchObject({ kind: "signed_out" });
  });

  it("has those of an application, the newest first, in pages, and counts them", async () => {
    const owner = await newApplication();
    const opened = [await openCalendar(owner), await openCalendar(owner), await openCalendar(owner)];
    const application = await applicationId(owner);
    const first = await staff.api.accounts.list({ application, limit: 2 });
    const second = await staff.api.accounts.list({ application, limit: 2, after: first.next ?? "" });
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(
      opened.map(({ accountId }) => accountId).reverse(),
    );
    expect(second.next).toBeNull();
    expect(first.items[0]).toMatchObject({
      kind: "application_calendar",
      applicationName: "Test",
      profileCount: 1,
      calendarCount: 1,
    });
    expect(await staff.api.accounts.count({ application })).toEqual({ count: 3, more: false });
  });

  it("is searched by ids, and by how an email address or application_calendar_id begins", async () => {
    const owner = await newApplication();
    const name = `room_${randomBytes(6).toString("hex")}%`;
    const calendar = await openCalendar(owner, name);
    const { accountId, profileId, calendarIds } = await connectAccount(owner);
    const email = `${randomBytes(6).toString("hex")}.Ada@acme.io`;
    await db().query("UPDATE accounts SET email = $2 WHERE id = $1", [accountId, email]);
    const found = async (q: string) => (await staff.api.accounts.list({ q })).items.map(({ id }) => id);
    expect(await found(accountId)).toEqual([accountId]);
    expect(await found(profileId)).toEqual([accountId]);
    expect(await found(calendarIds.readonly)).toEqual([accountId]);
    expect(await found(email.slice(0, 14).toUpperCase())).toEqual([accountId]);
    expect(await found(calendar.accountId)).toEqual([calendar.accountId]);
    expect(await found(name)).toEqual([calendar.accountId]);
    expect(await found(name.slice(0, -2))).toEqual([calendar.accountId]);
    expect(await found(`${name}%`)).toEqual([]);
    expect(await found("acc_000000000000000000000000")).toEqual([]);
  });

  it("is narrowed to accounts with a disconnected profile, to revoked ones and to others", async () => {
    const owner = await newApplication();
    const application = await applicationId(owner);
    const whole = await connectAccount(owner);
    const cut = await connectAccount(owner);
    await setConnected(cut.profileId, false);
    const ended = await openCalendar(owner);
    await revoke(owner, ended.refreshToken);
    const found = async (filters: object) =>
      (await staff.api.accounts.list({ application, ...filters })).items.map(({ id }) => id).sort();
    expect(await found({ disconnected: true })).toEqual([cut.accountId]);
    expect(await found({ revoked: true })).toEqual([ended.accountId]);
    expect(await found({ revoked: false })).toEqual([cut.accountId, whole.accountId].sort());
    expect(await staff.api.accounts.count({ application, disconnected: true })).toEqual({ count: 1, more: false });
  });
});

describe("an account", () => {
  it("is shown with its profiles, calendars, channels and the writes that its provider refused", async () => {
    const calendar = await providerCalendar("icloud");
    await write(calendar, meeting);
    await write(calendar, { ...meeting, event_id: "m2" });
    await db().query(
      `UPDATE events SET starts = '2026-12-01T09:00Z', ends = '2026-12-01T10:00Z', tzid = 'Europe/Madrid',
recurrence = '{"rules":[],"rule":{"frequency":"weekly","interval":1,"count":null,"until":20515,"byDay":[{"weekday":1,"nth":null}]},"skipped":[],"changed":[]}'
WHERE calendar_id = $1 AND event_id = 'm1'`,
      [calendar.calendarId],
    );
    await calendar.post("/v1/channels", { callback_url: "https://hooks.acme.io/a" });
    await db().query(
      `UPDATE provider_writes w SET refused_at = now(), last_error = 'invalid', attempts = 4 FROM events e
WHERE e.id = w.event_row AND w.calendar_id = $1 AND e.event_id = 'm1'`,
      [calendar.calendarId],
    );
    const id = await accountOf(calendar.calendarId);
    const shown = await staff.api.accounts.get({ id });
    expect(shown).toMatchObject({
      id,
      name: "Ada Fonda",
      refusedCount: 1,
      waitingWrites: 1,
      profiles: [{ provider: "apple", service: "icloud", connected: true, syncError: null }],
      channels: [{ callbackUrl: "https://hooks.acme.io/a", closedAt: null }],
      failedWrites: [
        {
          calendarId: calendar.calendarId,
          eventId: "m1",
          when: "Tue 1 Dec 2026 10:00 – 11:00 Europe/Madrid",
          repeats: "every week on Tuesday until 3 March 2026",
          lastError: "invalid",
          attempts: 4,
          state: "refused",
          dueAt: null,
        },
      ],
    });
    expect(shown.calendars.map(({ name }) => name)).toEqual(["Ada", "Holidays"]);
    expect(JSON.stringify(shown)).not.toMatch(/sealed|Planning|whsec/);
  });

  it("says since when a profile is disconnected, how many writes wait for it, and how its user reconnects", async () => {
    const calendar = await providerCalendar("icloud");
    for (const event_id of ["m1", "m2", "m3"]) await write(calendar, { ...meeting, event_id });
    const id = await accountOf(calendar.calendarId);
    const [connected] = (await staff.api.accounts.get({ id })).profiles;
    expect(connected).toMatchObject({ disconnectedAt: null, waitingWrites: 3, reconnectPath: null });
    const clock = fakeClock();
    await disconnectProfile(db(), connected?.id ?? "");
    const [profile] = (await staff.api.accounts.get({ id })).profiles;
    expect(profile).toMatchObject({ disconnectedAt: new Date(clock.now()).toISOString(), waitingWrites: 3 });
    const link = new URL(profile?.reconnectPath ?? "", "http://almanac.localhost");
    expect([link.pathname, Object.fromEntries(link.searchParams)]).toEqual([
      "/oauth/authorize",
      {
        response_type: "code",
        client_id: expect.stringMatching(/./),
        redirect_uri: expect.stringMatching(/^https:/),
        provider_name: "apple",
      },
    ]);
    const page = await call("GET", link.pathname + link.search);
    expect([page.status, page.text.includes("iCloud")]).toEqual([200, true]);
  });

  it("has no reconnect link when its application has no redirect URI, and prefers one that is not of a developer’s machine", async () => {
    const calendar = await providerCalendar("icloud");
    const id = await accountOf(calendar.calendarId);
    const [profile] = (await staff.api.accounts.get({ id })).profiles;
    await disconnectProfile(db(), profile?.id ?? "");
    const ofApplication = "application_id = (SELECT application_id FROM accounts WHERE id = $1)";
    await db().query(`DELETE FROM redirect_uris WHERE ${ofApplication}`, [id]);
    expect((await staff.api.accounts.get({ id })).profiles).toMatchObject([{ reconnectPath: null }]);
    await db().query(
      `INSERT INTO redirect_uris (application_id, uri, created_at) SELECT application_id, uri, at FROM accounts,
  (VALUES ('http://localhost:3000/cb', now() - interval '1 day'), ('https://acme.io/cb', now())) v (uri, at) WHERE id = $1`,
      [id],
    );
    const [shown] = (await staff.api.accounts.get({ id })).profiles;
    expect(shown?.reconnectPath).toContain("redirect_uri=https%3A%2F%2Facme.io%2Fcb");
  });

  it("is not found when there is none", async () => {
    expect(await refusal(staff.api.accounts.get({ id: "acc_0" }))).toEqual({ kind: "not_found" });
  });
});

describe("trying a write again", () => {
  it("makes one that was refused due at once, its waits begun again, and says who asked", async () => {
    const calendar = await providerCalendar("icloud");
    await write(calendar, meeting);
    const refused = `UPDATE provider_writes SET refused_at = now(), last_error = 'gone', attempts = 12, created_at = now() - interval '3 days',
  due_at = now() + interval '1 day' WHERE calendar_id = $1 RETURNING id::text`;
    const [row] = await db().query<{ id: string }>(refused, [calendar.calendarId]);
    const id = row?.id ?? "";
    const woken = wokenWork();
    await staff.api.accounts.retryWrite({ id });
    expect(
      await db().query(
        `SELECT refused_at, attempts, due_at <= clock_timestamp() AS is_due, created_at > now() - interval '1 hour' AS is_new FROM provider_writes WHERE id = $1::bigint`,
        [id],
      ),
    ).toEqual([{ refused_at: null, attempts: 0, is_due: true, is_new: true }]);
    expect(woken).toEqual(["push"]);
    expect(await auditOf(await accountOf(calendar.calendarId))).toEqual([
      {
        action: "write.retried",
        operator_id: staff.id,
        detail: { write: id, calendarId: calendar.calendarId, wasRefused: true },
      },
    ]);
  });

  it("is not offered for one that is reverted, and changes nothing", async () => {
    const calendar = await providerCalendar("icloud");
    await write(calendar, meeting);
    const [row] = await db().query<{ id: string }>(
      "UPDATE provider_writes SET refused_at = now(), reverted_at = now(), last_error = 'http_403' WHERE calendar_id = $1 RETURNING id::text",
      [calendar.calendarId],
    );
    const { failedWrites } = await staff.api.accounts.get({ id: await accountOf(calendar.calendarId) });
    expect(failedWrites).toMatchObject([{ id: row?.id, state: "reverted" }]);
    expect(await refusal(staff.api.accounts.retryWrite({ id: row?.id ?? "" }))).toEqual({ kind: "not_found" });
    expect(await db().query("SELECT refused_at IS NULL AS open FROM provider_writes WHERE id = $1", [row?.id])).toEqual(
      [{ open: false }],
    );
  });

  it("is refused while the profile is disconnected, since it could not succeed, and changes nothing", async () => {
    const calendar = await providerCalendar("icloud");
    await write(calendar, meeting);
    const [row] = await db().query<{ id: string; profile: string }>(
      `UPDATE provider_writes SET refused_at = now(), last_error = 'credentials_rejected', attempts = 3 WHERE calendar_id = $1
RETURNING id::text, profile_id AS profile`,
      [calendar.calendarId],
    );
    await disconnectProfile(db(), row?.profile ?? "");
    expect(await refusal(staff.api.accounts.retryWrite({ id: row?.id ?? "" }))).toEqual({
      kind: "conflict",
      text: "This profile is disconnected. The user must reconnect first.",
    });
    expect(await db().query("SELECT attempts FROM provider_writes WHERE id = $1::bigint", [row?.id])).toEqual([
      { attempts: 3 },
    ]);
    expect(await auditOf(await accountOf(calendar.calendarId))).toEqual([]);
  });

  it.each(["0", "write", "99999999999999999999"])("%s is not found", async (id) => {
    expect(await refusal(staff.api.accounts.retryWrite({ id }))).toEqual({ kind: "not_found" });
  });
});

describe("syncing a profile now", () => {
  it("makes it due at once", async () => {
    const { accountId, profileId } = await connectAccount(await newApplication());
    await db().query("UPDATE profiles SET sync_due_at = now() + interval '1 hour' WHERE id = $1", [profileId]);
    const woken = wokenWork();
    await staff.api.accounts.syncNow({ profileId });
    expect(
      await db().query("SELECT sync_due_at <= clock_timestamp() AS is_due FROM profiles WHERE id = $1", [profileId]),
    ).toEqual([{ is_due: true }]);
    expect(woken).toEqual(["sync"]);
    expect(await auditOf(accountId)).toEqual([
      { action: "profile.synced", operator_id: staff.id, detail: { profileId } },
    ]);
  });

  it("is refused for one that has no provider to ask, and changes nothing", async () => {
    const { accountId, profileId } = await openCalendar();
    expect(await refusal(staff.api.accounts.syncNow({ profileId }))).toMatchObject({ kind: "conflict" });
    expect(await auditOf(accountId)).toEqual([]);
    expect(await refusal(staff.api.accounts.syncNow({ profileId: "pro_0" }))).toEqual({ kind: "not_found" });
  });
});

describe("revoking an account", () => {
  it("is for admins", async () => {
    const { accountId } = await openCalendar();
    expect(await refusal(staff.api.accounts.revoke({ id: accountId }))).toMatchObject({ kind: "forbidden" });
  });

  it("does what POST /oauth/token/revoke does", async () => {
    const calendar = await openCalendar();
    await admin.api.accounts.revoke({ id: calendar.accountId });
    expect((await calendar.get("/v1/account")).status).toBe(401);
    const shown = await staff.api.accounts.get({ id: calendar.accountId });
    expect(shown).toMatchObject({ revokedAt: expect.any(String), profiles: [], calendars: [] });
    expect(await auditOf(calendar.accountId)).toMatchObject([{ action: "account.revoked", operator_id: admin.id }]);
    expect(await refusal(admin.api.accounts.revoke({ id: calendar.accountId }))).toMatchObject({ kind: "conflict" });
    expect(await refusal(admin.api.accounts.revoke({ id: "acc_0" }))).toEqual({ kind: "not_found" });
  });

  it("ends the tokens of a person's account", async () => {
    const { accountId, accessToken } = await connectedWithTokens(await newApplication());
    await admin.api.accounts.revoke({ id: accountId });
    expect((await withToken("GET", "/v1/account", accessToken)).status).toBe(401);
  });
});

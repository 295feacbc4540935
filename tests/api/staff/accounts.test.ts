import { randomBytes } from "node:crypto";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { context } from "@/server/context";
import { db } from "@/server/db/client";
import { digest } from "@/server/db/sealed";
import type { Work } from "@/server/db/wake";
import { disconnectProfile } from "@/server/store/profiles/connection-state";
import { fakeClock } from "../../fakes/clock";
import {
  changeAccount,
  changeProfile,
  changeSync,
  setConnected,
  setSyncDue,
  storedAccount,
  storedCalendar,
  storedSync,
} from "../../fakes/stored";
import { changeEvents } from "../../fakes/stored-events";
import { addRedirectUri, dropRedirectUris } from "../../fakes/stored-grants";
import { refuseWrites, storedWrite } from "../../fakes/stored-writes";
import { dayFromNow } from "../dates";
import { applicationId, connectAccount, connectedWithTokens, revoke, withToken } from "../grants";
import { providerCalendar } from "../provider-calendar";
import { call, newApplication, openCalendar } from "../service";
import { write } from "../written-series";
import { auditOf, newOperator, type Operator, refusal, stranger } from "./staff-caller";

const DAY = dayFromNow(3);
const DAY_MS = 86_400_000;
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
  const before = context.wake;
  context.wake = (work) => woken.push(work);
  onTestFinished(() => {
    context.wake = before;
  });
  return woken;
}

async function accountOf(calendarId: string): Promise<string> {
  return (await storedCalendar(calendarId)).accountId;
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
    await changeAccount(accountId, { email });
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
    const [starts, ends] = ["2026-12-01T09:00Z", "2026-12-01T10:00Z"].map((time) => new Date(time));
    const rule = { frequency: "weekly", interval: 1, count: null, until: 20515, byDay: [{ weekday: 1, nth: null }] };
    const recurrence = { rules: [], rule, skipped: [], changed: [] };
    const m1 = { calendarId: calendar.calendarId, eventId: "m1" };
    await changeEvents(m1, { starts, ends, tzid: "Europe/Madrid", recurrence });
    await calendar.post("/v1/channels", { callback_url: "https://hooks.acme.io/a" });
    await refuseWrites(calendar.calendarId, "invalid", { eventId: "m1", attempts: 4 });
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

  it.each(["read", "free_busy"] as const)(
    "says that a profile has less access, which its reconnect link keeps: %s",
    async (access) => {
      const calendar = await providerCalendar("icloud");
      const id = await accountOf(calendar.calendarId);
      const shown = async () => (await staff.api.accounts.get({ id })).profiles[0];
      expect(await shown()).toMatchObject({ access: "full" });
      await changeProfile((await shown())?.id ?? "", { access, connected: false });
      expect(await shown()).toMatchObject({ access, reconnectPath: expect.stringContaining(`&access=${access}`) });
    },
  );

  it("counts as pending what is sent once its user reconnects, as its writes say of each", async () => {
    const calendar = await providerCalendar("icloud");
    for (const event_id of ["m1", "m2", "m3", "m4"]) await write(calendar, { ...meeting, event_id });
    const id = await accountOf(calendar.calendarId);
    const [{ id: profileId = "" } = {}] = (await staff.api.accounts.get({ id })).profiles;
    await changeSync(profileId, { lastSyncAt: new Date(Date.now() - 3 * 86_400_000) });
    await refuseWrites(calendar.calendarId, "down", { eventId: "m1" });
    await refuseWrites(calendar.calendarId, "internal", { eventId: "m2" });
    await refuseWrites(calendar.calendarId, "invalid", { eventId: "m3" });
    const pending = async () => {
      const shown = await staff.api.accounts.calendars({ id });
      const waits = shown.writes.flatMap(({ eventId, waitsForReconnect }) => (waitsForReconnect ? [eventId] : []));
      return { all: shown.waitingWrites, ofProfile: shown.profiles[0]?.waitingWrites, waits: waits.sort() };
    };
    expect(await pending()).toEqual({ all: 1, ofProfile: 1, waits: [] });
    await disconnectProfile(db(), profileId);
    expect(await pending()).toEqual({ all: 2, ofProfile: 2, waits: ["m1", "m4"] });
    await changeSync(profileId, { lastSyncAt: new Date() });
    expect(await pending()).toEqual({ all: 1, ofProfile: 1, waits: ["m4"] });
  });

  it("has no reconnect link when its application has no redirect URI, and prefers one that is not of a developer’s machine", async () => {
    const calendar = await providerCalendar("icloud");
    const id = await accountOf(calendar.calendarId);
    const [profile] = (await staff.api.accounts.get({ id })).profiles;
    await disconnectProfile(db(), profile?.id ?? "");
    const { applicationId } = await storedAccount(id);
    await dropRedirectUris(applicationId);
    expect((await staff.api.accounts.get({ id })).profiles).toMatchObject([{ reconnectPath: null }]);
    await addRedirectUri(applicationId, "http://localhost:3000/cb", new Date(Date.now() - DAY_MS));
    await addRedirectUri(applicationId, "https://acme.io/cb");
    const [shown] = (await staff.api.accounts.get({ id })).profiles;
    expect(shown?.reconnectPath).toContain("redirect_uri=https%3A%2F%2Facme.io%2Fcb");
  });

  it("has the reconnect links that its application made: open ones and used ones, until they expire", async () => {
    const clock = fakeClock();
    const { accountId: id, profileId, accessToken } = await connectedWithTokens(await newApplication());
    const create = (seconds: number) =>
      withToken("POST", `/v1/profiles/${profileId}/reconnect_links`, accessToken, { expires_in: seconds });
    await create(60);
    clock.advance(1_000);
    const used = (await create(3_600)).json.url;
    const hash = digest(new URL(used).searchParams.get("link_token") ?? "");
    await db().prisma.linkToken.update({ where: { hash }, data: { usedAt: new Date(clock.now()) } });
    await withToken("POST", "/v1/link_tokens", accessToken);
    const links = async () => (await staff.api.accounts.get({ id })).profiles[0]?.reconnectLinks;
    const at = (ms: number) => new Date(clock.now() + ms).toISOString();
    const newest = { createdAt: at(0), expiresAt: at(3_600_000), usedAt: at(0) };
    expect(await links()).toEqual([newest, { createdAt: at(-1_000), expiresAt: at(59_000), usedAt: null }]);
    clock.advance(59_000);
    expect(await links()).toEqual([newest]);
  });

  it("is not found when there is none", async () => {
    expect(await refusal(staff.api.accounts.get({ id: "acc_0" }))).toEqual({ kind: "not_found" });
  });
});

describe("trying a write again", () => {
  it("makes one that was refused due at once, its waits begun again, and says who asked", async () => {
    const calendar = await providerCalendar("icloud");
    await write(calendar, meeting);
    const [createdAt, dueAt] = [-3 * DAY_MS, DAY_MS].map((ms) => new Date(Date.now() + ms));
    await refuseWrites(calendar.calendarId, "gone", { attempts: 12, createdAt, dueAt });
    const { id } = await storedWrite(calendar.calendarId);
    const woken = wokenWork();
    await staff.api.accounts.retryWrite({ id });
    const retried = await storedWrite(calendar.calendarId);
    expect(retried).toMatchObject({ refusedAt: null, attempts: 0, isDue: true });
    expect(Date.now() - retried.createdAt.getTime()).toBeLessThan(3_600_000);
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
    await refuseWrites(calendar.calendarId, "http_403", { revertedAt: new Date() });
    const { id } = await storedWrite(calendar.calendarId);
    const { failedWrites } = await staff.api.accounts.get({ id: await accountOf(calendar.calendarId) });
    expect(failedWrites).toMatchObject([{ id, state: "reverted" }]);
    expect(await refusal(staff.api.accounts.retryWrite({ id }))).toEqual({ kind: "not_found" });
    expect((await storedWrite(calendar.calendarId)).refusedAt).toBeInstanceOf(Date);
  });

  it("is refused while the profile is disconnected, since it could not succeed, and changes nothing", async () => {
    const calendar = await providerCalendar("icloud");
    await write(calendar, meeting);
    await refuseWrites(calendar.calendarId, "credentials_rejected", { attempts: 3 });
    const { id, profileId } = await storedWrite(calendar.calendarId);
    await disconnectProfile(db(), profileId);
    expect(await refusal(staff.api.accounts.retryWrite({ id }))).toEqual({
      kind: "conflict",
      text: "This profile is disconnected. The user must reconnect first.",
    });
    expect(await storedWrite(calendar.calendarId)).toMatchObject({ attempts: 3 });
    expect(await auditOf(await accountOf(calendar.calendarId))).toEqual([]);
  });

  it.each(["0", "write", "99999999999999999999"])("%s is not found", async (id) => {
    expect(await refusal(staff.api.accounts.retryWrite({ id }))).toEqual({ kind: "not_found" });
  });
});

describe("syncing a profile now", () => {
  it("makes it due at once", async () => {
    const { accountId, profileId } = await connectAccount(await newApplication());
    await setSyncDue(profileId, new Date(Date.now() + 3_600_000));
    const woken = wokenWork();
    await staff.api.accounts.syncNow({ profileId });
    const { syncDueAt } = await storedSync(profileId);
    expect(syncDueAt?.getTime()).toBeLessThanOrEqual(Date.now());
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

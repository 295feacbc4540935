import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { cookieName } from "@/server/auth/session-cookie";
import { db } from "@/server/db/client";
import { env, provideEnv } from "@/server/env";
import { codeAt } from "../../fakes/authenticator";
import type { FakeClock } from "../../fakes/clock";
import { auditTrail, disableOperators, setOperatorRole } from "../../fakes/stored-operators";
import type { ApiResponse } from "../service";
import {
  type Browser,
  browser,
  field,
  isRefused,
  laterClock,
  newOperator,
  PASSWORD,
  type Person,
  signedInBrowser,
  signIn,
} from "./browser";

const VERIFY = "/dashboard/sign-in/verify";
const HALF_MINUTE = 30_000;
const MINUTE = 60_000;

let clock: FakeClock;
beforeEach(() => {
  clock = laterClock();
});
afterEach(() => require("off"));

function require(policy: "off" | "admins" | "all"): void {
  provideEnv({ ...process.env, STAFF_SECOND_FACTOR: policy });
}

interface Protected {
  person: Person;
  secret: string;
  recoveryCodes: string[];
}

/** The key that the page shows. */
function keyOf(page: ApiResponse): string {
  return (/class="key">([A-Z2-7 ]+)</.exec(page.text)?.[1] ?? "").replaceAll(" ", "");
}

/** Sets a second factor up as the page does, and has its code used up. */
async function setUp(staff: Browser): Promise<Omit<Protected, "person">> {
  const started = await staff.mutate("session.startSecondFactor", { password: PASSWORD });
  const { secret, pending } = started.json.result.data;
  const confirmed = await staff.mutate("session.confirmSecondFactor", { pending, code: codeAt(secret, clock.now()) });
  expect(confirmed.status).toBe(200);
  clock.advance(HALF_MINUTE);
  return { secret, recoveryCodes: confirmed.json.result.data.recoveryCodes };
}

async function protectedOperator(given: Parameters<typeof newOperator>[0] = {}): Promise<Protected> {
  const person = await newOperator(given);
  return { person, ...(await setUp(await signedInBrowser(person))) };
}

/** Enters the password, and arrives at the second step. */
async function enterPassword(person: Person, path?: string): Promise<Browser> {
  const staff = browser();
  const sent = await signIn(staff, person, { path });
  expect([sent.status, sent.headers.get("location")?.split("?")[0]]).toEqual([303, VERIFY]);
  expect(staff.jar.has(cookieName("session"))).toBe(false);
  return staff;
}

/** Sends the second step's form. */
async function enterCode(staff: Browser, code: string, path = VERIFY): Promise<ApiResponse> {
  const page = await staff.get(path);
  const form = { code, csrfToken: field(page, "csrfToken"), from: field(page, "from") };
  return staff.post("/api/auth/second-step", form);
}

const isSignedIn = async (staff: Browser) => (await staff.query("session.me")).status === 200;
const factorOf = (operatorId: string) => db().prisma.operatorSecondFactor.findUnique({ where: { operatorId } });

describe("signing in with a second factor", () => {
  it("takes the password, then the app's code, and leads to the page that was asked for", async () => {
    const { person, secret } = await protectedOperator();
    const staff = await enterPassword(person, "/dashboard/sign-in?from=%2Fdashboard%2Frequests");
    expect(await isSignedIn(staff)).toBe(false);
    const code = codeAt(secret, clock.now());
    const sent = await enterCode(
      staff,
      `${code.slice(0, 3)} ${code.slice(3)}`,
      `${VERIFY}?from=%2Fdashboard%2Frequests`,
    );
    expect([sent.status, sent.headers.get("location")]).toEqual([303, "/dashboard/requests"]);
    expect(await isSignedIn(staff)).toBe(true);
    expect(staff.jar.has(cookieName("step"))).toBe(false);
    expect((await auditTrail(person.id)).slice(-4)).toMatchObject([
      { action: "sign_in.second_step" },
      { action: "second_factor.tried", operator_id: null },
      { action: "second_factor.proven", operator_id: person.id },
      { action: "sign_in.succeeded", detail: { way: "password", secondFactor: "app" } },
    ]);
  });

  it("refuses a wrong code, and says so", async () => {
    const { person, secret } = await protectedOperator();
    const staff = await enterPassword(person);
    for (const code of ["000000", "", "not a code", codeAt(secret, clock.now() + 10 * MINUTE)]) {
      const refused = await enterCode(staff, code);
      expect([refused.status, refused.text.includes("That code isn’t valid.")]).toEqual([422, true]);
    }
    expect(await isSignedIn(staff)).toBe(false);
    expect((await enterCode(staff, codeAt(secret, clock.now()))).status).toBe(303);
    const refusals = (await auditTrail(person.id)).filter(({ action }) => action === "second_factor.refused");
    expect(refusals.map(({ operator_id }) => operator_id)).toEqual([null, null, null, null]);
  });

  it("accepts no code twice, not even of several at once, nor an older one afterwards", async () => {
    const { person, secret } = await protectedOperator();
    const browsers = await Promise.all(Array.from({ length: 4 }, () => enterPassword(person)));
    const code = codeAt(secret, clock.now());
    const statuses = await Promise.all(browsers.map(async (staff) => (await enterCode(staff, code)).status));
    expect(statuses.sort()).toEqual([303, 422, 422, 422]);
    clock.advance(HALF_MINUTE);
    const later = await enterPassword(person);
    expect((await enterCode(later, code)).status).toBe(422);
    expect((await enterCode(later, codeAt(secret, clock.now()))).status).toBe(303);
  });

  it("accepts each recovery code once, in any spelling, and stores no more than their digests", async () => {
    const { person, recoveryCodes } = await protectedOperator();
    expect(recoveryCodes).toHaveLength(10);
    const [first = "", second = ""] = recoveryCodes;
    expect((await enterCode(await enterPassword(person), first)).status).toBe(303);
    expect((await enterCode(await enterPassword(person), first)).status).toBe(422);
    const staff = await enterPassword(person);
    expect((await enterCode(staff, second.replaceAll("-", " ").toUpperCase())).status).toBe(303);
    expect((await staff.query("session.me")).json.result.data.secondFactor.recoveryCodes).toBe(8);
    const [entry] = (await auditTrail(person.id)).slice(-1);
    expect(entry?.detail).toEqual({ way: "password", secondFactor: "recovery_code" });
    const stored = await db().prisma.recoveryCode.findMany({ where: { operatorId: person.id } });
    expect(JSON.stringify(stored)).not.toContain((recoveryCodes[2] ?? "").replaceAll("-", ""));
  });

  it("allows five wrong codes in 15 minutes, from wherever, and then not even the right one", async () => {
    const { person, secret } = await protectedOperator();
    const [one, other] = [await enterPassword(person), await enterPassword(person)];
    const tries = await Promise.all(Array.from({ length: 7 }, (_, i) => enterCode(i % 2 ? one : other, "000000")));
    expect(tries.map(({ status }) => status).sort()).toEqual([422, 422, 422, 422, 422, 429, 429]);
    const refused = await enterCode(one, codeAt(secret, clock.now()));
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "900"]);
    expect(refused.text).toContain("Too many attempts.");
    clock.advance(15 * MINUTE + 1);
    expect((await enterCode(await enterPassword(person), codeAt(secret, clock.now()))).status).toBe(303);
  });

  it("begins again after ten minutes, another password, a reset, or without the first step", async () => {
    const [slow, changed, reset] = [await protectedOperator(), await protectedOperator(), await protectedOperator()];
    const startsAgain = async (staff: Browser, code: string, csrfToken: string) => {
      const sent = await staff.post("/api/auth/second-step", { code, csrfToken, from: "/dashboard" });
      expect([sent.status, sent.headers.get("location")]).toEqual([303, "/dashboard/sign-in?note=start_again"]);
      expect([staff.jar.has(cookieName("step")), await isSignedIn(staff)]).toEqual([false, false]);
    };
    const tokenOf = async (staff: Browser) => field(await staff.get(VERIFY), "csrfToken");
    const [staff, elsewhere, removed] = [
      await enterPassword(slow.person),
      await enterPassword(changed.person),
      await enterPassword(reset.person),
    ];
    const other = await newOperator();
    const { passwordHash } = await db().prisma.operator.findUniqueOrThrow({ where: { id: other.id } });
    await db().prisma.operator.update({ where: { id: changed.person.id }, data: { passwordHash: `${passwordHash}A` } });
    await startsAgain(elsewhere, codeAt(changed.secret, clock.now()), await tokenOf(elsewhere));
    const token = await tokenOf(removed);
    const admin = await signedInBrowser(await newOperator({ role: "admin" }));
    await admin.mutate("operators.resetSecondFactor", { id: reset.person.id });
    await startsAgain(removed, codeAt(reset.secret, clock.now()), token);
    const late = await tokenOf(staff);
    clock.advance(10 * MINUTE);
    await startsAgain(staff, codeAt(slow.secret, clock.now()), late);
    expect((await staff.get("/dashboard/sign-in?note=start_again")).text).toContain("This sign-in has expired.");
    await startsAgain(browser(), "000000", late);
    expect((await browser().get(VERIFY)).headers.get("location")).toBe("/dashboard/sign-in");
  });

  it("refuses a form of another site, and one whose token is not this browser's", async () => {
    const { person, secret } = await protectedOperator();
    const staff = await enterPassword(person);
    const code = codeAt(secret, clock.now());
    const csrfToken = field(await staff.get(VERIFY), "csrfToken");
    const cross = { "sec-fetch-site": "cross-site", origin: "https://evil.example" };
    expect((await staff.post("/api/auth/second-step", { code, csrfToken }, cross)).status).toBe(400);
    expect((await staff.post("/api/auth/second-step", { code, csrfToken: "0".repeat(64) })).status).toBe(400);
    expect(await isSignedIn(staff)).toBe(false);
    expect((await enterCode(staff, code)).status).toBe(303);
  });

  it("says nothing of it to whoever lacks the password, nor of a disabled operator", async () => {
    const [known, disabled] = [await protectedOperator(), await protectedOperator()];
    await disableOperators({ id: disabled.person.id });
    expect(await isRefused({ email: known.person.email, password: "another password" })).toBe(true);
    expect(await isRefused(disabled.person)).toBe(true);
  });
});

describe("a required second factor", () => {
  it("is set up after the password, before anything else is seen", async () => {
    require("admins");
    const person = await newOperator({ role: "admin" });
    const staff = await enterPassword(person);
    const page = await staff.get(VERIFY);
    expect(page.text).toContain("Your role requires two-step verification.");
    expect(page.text).toMatch(/<svg[^>]* role="img"/);
    expect(page.text).not.toMatch(/<script|style=/);
    expect(await isSignedIn(staff)).toBe(false);
    const secret = keyOf(page);
    expect(secret).toHaveLength(32);
    const wrong = await enterCode(staff, "000000");
    expect([wrong.status, wrong.text.includes("That code isn’t valid.")]).toEqual([422, true]);
    expect(wrong.text).toContain(secret.slice(0, 4));
    expect(await factorOf(person.id)).toBeNull();
    const done = await enterCode(staff, codeAt(secret, clock.now()));
    const codes = done.text.match(/(?<=<code>)[a-z2-7-]{19}(?=<)/g) ?? [];
    expect([done.status, codes.length, done.headers.get("cache-control")]).toEqual([200, 10, "no-store"]);
    expect((await staff.query("session.me")).json.result.data).toMatchObject({
      secondFactor: { recoveryCodes: 10 },
      needsSecondFactor: true,
    });
    const factor = await factorOf(person.id);
    expect(factor?.sealed).not.toContain(secret);
    expect((await enterCode(await enterPassword(person), codes[0] ?? "")).status).toBe(303);
  });

  it("is set up once: whoever else knows the password finds it done", async () => {
    require("all");
    const person = await newOperator();
    const [one, other] = [await enterPassword(person), await enterPassword(person)];
    const secretOf = async (staff: Browser) => keyOf(await staff.get(VERIFY));
    const [first, second] = [await secretOf(one), await secretOf(other)];
    expect((await enterCode(one, codeAt(first, clock.now()))).status).toBe(200);
    const late = await enterCode(other, codeAt(second, clock.now()));
    expect(late.headers.get("location")).toBe("/dashboard/sign-in?note=start_again");
    expect(await isSignedIn(other)).toBe(false);
  });

  it("is set up by an invited developer before they see anything", async () => {
    const admin = await protectedOperator({ role: "admin" });
    require("all");
    const inviting = await signedInBrowser(admin.person);
    const application = (await inviting.mutate("applications.create", { name: "Acme" })).json.result.data.id;
    const email = `${application.toLowerCase()}@acme.io`;
    const invited = await inviting.mutate("invitations.create", { email, applications: [application] });
    const lin = browser();
    const page = await lin.get(invited.json.result.data.link.slice(env().APP_URL.length));
    const password = "seven quiet otters";
    const form = { csrfToken: field(page, "csrfToken"), token: field(page, "token"), name: "Lin" };
    const accepted = await lin.post("/api/auth/invitation", { ...form, password, again: password });
    expect([accepted.status, accepted.headers.get("location")]).toEqual([303, VERIFY]);
    expect(await isSignedIn(lin)).toBe(false);
    const secret = keyOf(await lin.get(VERIFY));
    expect((await enterCode(lin, codeAt(secret, clock.now()))).status).toBe(200);
    expect((await lin.query("session.me")).json.result.data).toMatchObject({ email, role: "developer" });
  });

  it("goes by role, and not for single sign-on", async () => {
    const [support, admin] = [await newOperator(), await newOperator({ role: "admin" })];
    require("admins");
    expect((await signIn(browser(), support)).headers.get("location")).toBe("/dashboard");
    expect((await signIn(browser(), admin)).headers.get("location")).toBe(VERIFY);
    require("all");
    expect((await signIn(browser(), support)).headers.get("location")).toBe(VERIFY);
    const { sessionId, ...staff } = await signedInBrowser(admin);
    expect((await staff.query("session.me")).status).toBe(401);
    await db().prisma.operatorSession.update({ where: { id: sessionId }, data: { way: "single_sign_on" } });
    expect((await staff.query("session.me")).status).toBe(200);
  });

  it("ends the sessions of those who have none, once it is required or their role changes", async () => {
    require("admins");
    const person = await newOperator();
    const staff = await signedInBrowser(person);
    expect(await isSignedIn(staff)).toBe(true);
    await setOperatorRole(person.id, "admin");
    expect(await isSignedIn(staff)).toBe(false);
    await setOperatorRole(person.id, "support");
    await setUp(staff);
    await setOperatorRole(person.id, "admin");
    expect(await isSignedIn(staff)).toBe(true);
  });

  it("can be replaced, but not removed", async () => {
    const { person } = await protectedOperator();
    require("all");
    const staff = await signedInBrowser(person);
    const refused = await staff.mutate("session.removeSecondFactor", { password: PASSWORD });
    expect([refused.status, refused.json.error.message]).toEqual([
      409,
      "Your role requires a second factor. You can replace it.",
    ]);
    await setUp(staff);
  });
});

describe("one's own second factor", () => {
  it("is set up, replaced and removed with the password, and ends one's other sessions each time", async () => {
    const person = await newOperator();
    const staff = await signedInBrowser(person);
    const others = async () => {
      const other = await signedInBrowser(person);
      return async () => expect(await isSignedIn(other)).toBe(false);
    };
    expect((await staff.query("session.me")).json.result.data).toMatchObject({
      secondFactor: null,
      needsSecondFactor: false,
    });
    const first = await others();
    const before = await setUp(staff);
    await first();
    const second = await others();
    const after = await setUp(staff);
    await second();
    const again = await enterPassword(person);
    expect((await enterCode(again, codeAt(before.secret, clock.now()))).status).toBe(422);
    expect((await enterCode(again, before.recoveryCodes[0] ?? "")).status).toBe(422);
    expect((await enterCode(again, codeAt(after.secret, clock.now()))).status).toBe(303);
    const third = await others();
    expect((await staff.mutate("session.removeSecondFactor", { password: PASSWORD })).status).toBe(200);
    await third();
    expect((await signIn(browser(), person)).headers.get("location")).toBe("/dashboard");
    expect(await db().prisma.recoveryCode.count({ where: { operatorId: person.id } })).toBe(0);
    const actions = (await auditTrail(person.id)).map(({ action }) => action);
    expect(actions.filter((action) => /^second_factor\.(set_up|removed)$/.test(action))).toEqual([
      "second_factor.set_up",
      "second_factor.set_up",
      "second_factor.removed",
    ]);
  });

  it("takes no wrong password, no wrong code, nor another session's start, or one that is ten minutes old", async () => {
    const person = await newOperator();
    const [staff, other] = [await signedInBrowser(person), await signedInBrowser(person)];
    for (const password of [undefined, "another password"]) {
      expect((await staff.mutate("session.startSecondFactor", { password })).status).toBe(422);
      expect((await staff.mutate("session.removeSecondFactor", { password })).status).toBe(422);
    }
    const { pending, secret } = (await staff.mutate("session.startSecondFactor", { password: PASSWORD })).json.result
      .data;
    const confirm = (from: Browser, code: string, given = pending) =>
      from.mutate("session.confirmSecondFactor", { pending: given, code });
    const wrong = await confirm(staff, "000000");
    expect([wrong.status, wrong.json.error.message]).toEqual([422, "Code is not the app’s current code."]);
    expect((await confirm(other, codeAt(secret, clock.now()))).status).toBe(409);
    expect((await confirm(staff, codeAt(secret, clock.now()), "v1.none")).status).toBe(409);
    clock.advance(10 * MINUTE);
    expect((await confirm(staff, codeAt(secret, clock.now()))).status).toBe(409);
    expect(await factorOf(person.id)).toBeNull();
  });

  it("is not for those who sign in with single sign-on alone", async () => {
    const staff = await signedInBrowser(await newOperator({ password: "none" }));
    for (const action of ["startSecondFactor", "removeSecondFactor"]) {
      expect((await staff.mutate(`session.${action}`, {})).json.error.message).toContain("single sign-on");
    }
  });
});

describe("operators.resetSecondFactor", () => {
  it("removes that of somebody else, ends their sessions, and is audited", async () => {
    const { person } = await protectedOperator();
    const theirs = await signedInBrowser(person);
    const me = await newOperator({ role: "admin" });
    const admin = await signedInBrowser(me);
    const listed = async () =>
      (await admin.query("operators.list")).json.result.data.find(({ id }: { id: string }) => id === person.id);
    expect((await listed()).hasSecondFactor).toBe(true);
    expect((await admin.mutate("operators.resetSecondFactor", { id: person.id })).status).toBe(200);
    expect((await listed()).hasSecondFactor).toBe(false);
    expect(await isSignedIn(theirs)).toBe(false);
    expect((await auditTrail(person.id)).at(-1)).toMatchObject({
      ...{ action: "operator.second_factor_reset", operator_id: me.id },
      detail: { sessions: 2 },
    });
    expect((await signIn(browser(), person)).headers.get("location")).toBe("/dashboard");
  });

  it("is not for one's own", async () => {
    const { person } = await protectedOperator({ role: "admin" });
    const admin = await signedInBrowser(person);
    expect((await admin.mutate("operators.resetSecondFactor", { id: person.id })).status).toBe(409);
    expect(await factorOf(person.id)).not.toBeNull();
  });
});

describe("session.endOthers", () => {
  it("ends one's other sessions and nobody else's, and is audited", async () => {
    const [person, stranger] = [await newOperator(), await newOperator()];
    const [here, there, theirs] = [
      await signedInBrowser(person),
      await signedInBrowser(person),
      await signedInBrowser(stranger),
    ];
    expect((await here.mutate("session.endOthers")).json.result.data).toEqual({ sessionsEnded: 1 });
    expect(await Promise.all([here, there, theirs].map(isSignedIn))).toEqual([true, false, true]);
    expect((await here.mutate("session.endOthers")).json.result.data).toEqual({ sessionsEnded: 0 });
    expect((await auditTrail(person.id)).filter(({ action }) => action === "session.others_ended")).toMatchObject([
      { detail: { sessions: 1 } },
    ]);
  });
});

it("the second step's page is without scripts, stands at the app's own address, and shows nobody's secret", async () => {
  const { person, secret } = await protectedOperator();
  const staff = await enterPassword(person);
  const page = await staff.get(VERIFY);
  expect(page.status).toBe(200);
  expect(page.headers.get("cache-control")).toBe("no-store");
  expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
  expect(page.text).not.toMatch(/<script|style=/);
  expect(page.text).not.toContain(secret);
  expect(staff.jar.get(cookieName("step"))).not.toContain(person.id);
});

import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { cookieName } from "@/server/auth/session-cookie";
import { db } from "@/server/db/client";
import { env } from "@/server/env";
import type { FakeClock } from "../../fakes/clock";
import type { Issuer } from "../../fakes/issuer";
import { auditTrail } from "../../fakes/stored-operators";
import { ownDatabase } from "../own-database";
import { type ApiResponse, newProcessServices } from "../service";
import { type Browser, browser, field, isRefused, laterClock, newOperator, signedInBrowser, signIn } from "./browser";
import { configuredIssuer } from "./configured-issuer";

ownDatabase();

const DAY = 86_400_000;
const CHOSEN = "seven quiet otters";

let clock: FakeClock;
let admin: Browser;
let adminId: string;
let first: string;
let second: string;

beforeEach(async () => {
  clock = laterClock();
  // One of these tests ends in another week.
  await newProcessServices();
  const person = await newOperator({ role: "admin" });
  adminId = person.id;
  admin = await signedInBrowser(person);
  [first, second] = await Promise.all([registered("Acme Scheduling"), registered("Beta & Sons")]);
});

async function registered(name: string): Promise<string> {
  return (await admin.mutate("applications.create", { name })).json.result.data.id;
}

const newEmail = () => `${randomBytes(6).toString("hex")}@acme.io`;

async function invite(email: string, applications: string[]) {
  const answer = await admin.mutate("invitations.create", { email, applications });
  expect(answer.status).toBe(200);
  return answer.json.result.data as { kind: string; id: string; link: string; expiresAt: string; operatorId: string };
}

const pathOf = (link: string) => link.slice(env().APP_URL.length);

/** Opens the link and sends its form. */
async function accept(from: Browser, link: string, given: Record<string, string> = {}): Promise<ApiResponse> {
  const page = await from.get(pathOf(link));
  expect(page.status).toBe(200);
  return sendForm(from, page, given);
}

function sendForm(from: Browser, page: ApiResponse, given: Record<string, string> = {}): Promise<ApiResponse> {
  const form = { csrfToken: field(page, "csrfToken"), token: field(page, "token") };
  return from.post("/api/auth/invitation", { ...form, name: "Lin", password: CHOSEN, again: CHOSEN, ...given });
}

async function seen(link: string): Promise<[number, string]> {
  const { status, text } = await browser().get(pathOf(link));
  return [status, /role="alert".*?<span>(.*?)<\/span>/.exec(text)?.[1] ?? ""];
}

const applicationsOf = async (staff: Browser) =>
  (await staff.query("applications.names")).json.result.data.map(({ id }: { id: string }) => id);

describe("an invitation", () => {
  it("makes whoever opens its link a developer of its applications, and signs them in", async () => {
    const email = newEmail();
    const { id, kind, link, expiresAt } = await invite(` ${email.toUpperCase()} `, [first]);
    expect([kind, Date.parse(expiresAt) - clock.now()]).toEqual(["invited", 7 * DAY]);
    const visitor = browser();
    const page = await visitor.get(pathOf(link));
    expect(page.text).toContain("as a developer of Acme Scheduling.");
    expect(page.text).toContain(email);
    const answer = await sendForm(visitor, page);
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "/dashboard"]);
    const me = (await visitor.query("session.me")).json.result.data;
    expect(me).toMatchObject({ email, name: "Lin", role: "developer", hasPassword: true });
    expect(await applicationsOf(visitor)).toEqual([first]);
    expect((await signIn(browser(), { email, password: CHOSEN })).headers.get("location")).toBe("/dashboard");
    const by = { operator_id: me.id, actor: `${email} (developer)` };
    expect(await auditTrail(id)).toMatchObject([
      { action: "invitation.created", operator_id: adminId, detail: { email, applications: [first] } },
      { action: "invitation.accepted", ...by, address: "127.0.0.1" },
    ]);
    expect(await auditTrail(first)).toMatchObject([
      { action: "application.created" },
      { action: "member.added", ...by, detail: { email, operatorId: me.id } },
    ]);
    const [listed] = (await admin.query("members.list", { application: first })).json.result.data;
    expect(listed).toEqual({
      id: me.id,
      email,
      name: "Lin",
      disabledAt: null,
      since: new Date(clock.now()).toISOString(),
    });
  });

  it("is stored without its token", async () => {
    const { id, link } = await invite(newEmail(), [first]);
    const token = new URL(link).searchParams.get("token") ?? "";
    expect(token).toMatch(/^[\w-]{43}$/);
    const [row] = await db().query<{ row: string }>(
      "SELECT to_jsonb(i)::text AS row FROM invitations i WHERE id = $1",
      [id],
    );
    expect(row?.row).not.toContain(token);
    expect(row?.row).not.toContain(Buffer.from(token).toString("hex"));
    expect(JSON.stringify(await auditTrail(id))).not.toContain(token);
    expect((await admin.query("invitations.list")).text).not.toContain(token);
  });

  it("works once", async () => {
    const email = newEmail();
    const { id, link } = await invite(email, [first]);
    const late = browser();
    const page = await late.get(pathOf(link));
    await accept(browser(), link);
    const used = [410, "This invitation has already been used. Each link works once."];
    expect(await seen(link)).toEqual(used);
    const again = await sendForm(late, page, { name: "Eve" });
    expect([again.status, again.text.includes(String(used[1]))]).toEqual([410, true]);
    expect(late.jar.has(cookieName("session"))).toBe(false);
    expect((await auditTrail(id)).map(({ action }) => action)).toEqual(["invitation.created", "invitation.accepted"]);
  });

  it("works once, for one of several at the same time", async () => {
    const { link } = await invite(newEmail(), [first]);
    const visitors = [browser(), browser(), browser()];
    const pages = await Promise.all(visitors.map((visitor) => visitor.get(pathOf(link))));
    const answers = await Promise.all(pages.map((page, at) => sendForm(visitors[at] as Browser, page)));
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 410, 410]);
    expect((await admin.query("members.list", { application: first })).json.result.data).toHaveLength(1);
  });

  it("is not used up by looking at its page, nor by HEAD", async () => {
    const { link } = await invite(newEmail(), [first]);
    await browser().get(pathOf(link));
    expect((await accept(browser(), link)).status).toBe(303);
  });

  it("expires after seven days", async () => {
    const { link } = await invite(newEmail(), [first]);
    const visitor = browser();
    clock.advance(7 * DAY - 1);
    const page = await visitor.get(pathOf(link));
    expect(page.status).toBe(200);
    clock.advance(1);
    const expired = "This invitation has expired. Ask your Almanac administrator for a new one.";
    expect(await seen(link)).toEqual([410, expired]);
    const answer = await sendForm(visitor, page);
    expect([answer.status, answer.text.includes(expired)]).toEqual([410, true]);
    const still = await signedInBrowser({ id: adminId, email: "", role: "admin" });
    expect((await still.query("invitations.list")).json.result.data).toEqual([]);
  });

  it("can be revoked, and is gone from the pending ones", async () => {
    const email = newEmail();
    const { id, link } = await invite(email, [first, second]);
    const pending = async (application?: string) =>
      (await admin.query("invitations.list", application ? { application } : {})).json.result.data.filter(
        (row: { email: string }) => row.email === email,
      );
    const applications = [
      { id: first, name: "Acme Scheduling" },
      { id: second, name: "Beta & Sons" },
    ];
    expect(await pending()).toMatchObject([{ id, email, applications }]);
    expect(await pending(second)).toHaveLength(1);
    expect(await pending(await registered("Gamma"))).toEqual([]);
    expect((await admin.mutate("invitations.revoke", { id })).status).toBe(200);
    expect(await pending()).toEqual([]);
    expect(await seen(link)).toEqual([410, expect.stringMatching(/^This invitation was revoked/)]);
    expect((await admin.mutate("invitations.revoke", { id })).status).toBe(404);
    expect((await auditTrail(id)).at(-1)).toMatchObject({ action: "invitation.revoked", operator_id: adminId });
  });

  it("is replaced by a newer one to the same email address, which has the applications of both", async () => {
    const email = newEmail();
    const former = await invite(email, [first]);
    const newer = await invite(email, [second]);
    expect((await seen(former.link))[0]).toBe(410);
    const visitor = browser();
    await accept(visitor, newer.link);
    expect((await applicationsOf(visitor)).sort()).toEqual([first, second].sort());
  });

  it("to a developer's email address adds the applications at once", async () => {
    const email = newEmail();
    const visitor = browser();
    await accept(visitor, (await invite(email, [first])).link);
    const { id: operatorId } = (await visitor.query("session.me")).json.result.data;
    expect(await invite(email, [first, second])).toEqual({ kind: "added", operatorId });
    expect((await applicationsOf(visitor)).sort()).toEqual([first, second].sort());
    expect((await auditTrail(first)).filter(({ action }) => action === "member.added")).toHaveLength(1);
  });

  it("is refused for staff, for an application that there is not, for none, and for what is no email address", async () => {
    const support = await newOperator();
    const refused = async (input: object) => {
      const { status, json } = await admin.mutate("invitations.create", input);
      return [status, json.error.message];
    };
    expect(await refused({ email: support.email, applications: [first] })).toEqual([
      422,
      "Email belongs to an admin or support, who see every application.",
    ]);
    expect((await refused({ email: newEmail(), applications: [first, "app_none"] }))[0]).toBe(404);
    expect((await refused({ email: newEmail(), applications: [] }))[0]).toBe(422);
    expect((await refused({ email: "lin", applications: [first] }))[0]).toBe(422);
    expect((await admin.query("invitations.list", { application: first })).json.result.data).toEqual([]);
  });

  it("has a form that says what is wrong, and works afterwards", async () => {
    const { link } = await invite(newEmail(), [first]);
    const visitor = browser();
    const faults: [Record<string, string>, RegExp][] = [
      [{ name: " " }, /Name /],
      [{ password: "short", again: "short" }, /Password must have at least 12 characters\./],
      [{ password: "passwordpassword", again: "passwordpassword" }, /most common passwords/],
      [{ again: "another" }, /The passwords don’t match\./],
    ];
    for (const [given, fault] of faults) {
      const answer = await accept(visitor, link, { name: "Lin & Co", ...given });
      expect([answer.status, answer.text]).toEqual([422, expect.stringMatching(fault)]);
      expect(answer.text).not.toContain(CHOSEN);
      if (!given.name) expect(answer.text).toContain('value="Lin &amp; Co"');
    }
    expect((await accept(visitor, link)).status).toBe(303);
  });

  it("is accepted by its own page alone", async () => {
    const { link } = await invite(newEmail(), [first]);
    const visitor = browser();
    const page = await visitor.get(pathOf(link));
    const form = { token: field(page, "token"), name: "Lin", password: CHOSEN, again: CHOSEN };
    const token = { csrfToken: field(page, "csrfToken") };
    const elsewhere = { origin: "https://evil.example", "sec-fetch-site": "cross-site" };
    expect((await visitor.post("/api/auth/invitation", { ...form, ...token }, elsewhere)).status).toBe(404);
    const forged = await visitor.post("/api/auth/invitation", { ...form, csrfToken: "0".repeat(64) });
    expect([forged.status, forged.text.includes("This form has expired. Please try again.")]).toEqual([400, true]);
    expect((await seen(link))[0]).toBe(200);
  });

  it("has a page that no other page can frame, and whose address no other site gets", async () => {
    const { link } = await invite(newEmail(), [first]);
    const { headers } = await browser().get(pathOf(link));
    expect(headers.get("content-security-policy")).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
    expect(headers.get("referrer-policy")).toBe("same-origin");
    expect(headers.get("cache-control")).toBe("no-store");
  });

  it("says that a link is not valid that nobody made", async () => {
    for (const token of ["", "x", "%00", "a".repeat(43)]) {
      const [status, sentence] = await seen(`${env().APP_URL}/dashboard/invitation?token=${token}`);
      expect([status, sentence]).toEqual([404, expect.stringMatching(/^This invitation link isn’t valid/)]);
    }
  });

  it("cannot be tried more often than a sign-in", async () => {
    const { link } = await invite(newEmail(), [first]);
    const visitor = browser();
    const page = await visitor.get(pathOf(link));
    let last = await sendForm(visitor, page, { again: "another" });
    for (let tries = 0; last.status === 422 && tries < 50; tries += 1) {
      last = await sendForm(visitor, page, { again: "another" });
    }
    expect([last.status, last.headers.has("retry-after")]).toEqual([429, true]);
  });

  it("takes the place of the session that the browser had", async () => {
    const support = await newOperator();
    const staff = await signedInBrowser(support);
    const former = staff.jar.get(cookieName("session")) ?? "";
    await accept(staff, (await invite(newEmail(), [first])).link);
    expect((await staff.query("session.me")).json.result.data.role).toBe("developer");
    staff.jar.set(cookieName("session"), former);
    expect((await staff.query("session.me")).status).toBe(401);
  });
});

describe("a member", () => {
  async function newMember(applications: string[]): Promise<{ id: string; staff: Browser }> {
    const staff = browser();
    await accept(staff, (await invite(newEmail(), applications)).link);
    return { id: (await staff.query("session.me")).json.result.data.id, staff };
  }

  it("sees an application from the request after they were added to it until they are removed", async () => {
    const { id: operatorId, staff } = await newMember([first]);
    const member = { operatorId, applicationId: second };
    expect((await staff.query("applications.get", { id: second })).status).toBe(404);
    expect((await admin.mutate("members.add", member)).status).toBe(200);
    expect((await staff.query("applications.get", { id: second })).status).toBe(200);
    const [row] = (await admin.query("operators.list")).json.result.data.filter(
      ({ id }: { id: string }) => id === operatorId,
    );
    expect(row.applications).toEqual([
      { id: first, name: "Acme Scheduling" },
      { id: second, name: "Beta & Sons" },
    ]);
    expect((await admin.mutate("members.remove", member)).status).toBe(200);
    expect((await staff.query("applications.get", { id: second })).status).toBe(404);
    expect(await applicationsOf(staff)).toEqual([first]);
    expect((await auditTrail(second)).slice(1)).toMatchObject([
      { action: "member.added", operator_id: adminId, detail: { operatorId } },
      { action: "member.removed", operator_id: adminId, detail: { operatorId } },
    ]);
    expect((await admin.mutate("members.remove", member)).status).toBe(404);
  });

  it("is added once, and audited once", async () => {
    const { id: operatorId } = await newMember([first]);
    for (const _ of [1, 2]) {
      expect((await admin.mutate("members.add", { operatorId, applicationId: first })).status).toBe(200);
    }
    expect((await auditTrail(first)).filter(({ action }) => action === "member.added")).toHaveLength(1);
  });

  it("is a developer: nobody of staff is added", async () => {
    const support = await newOperator();
    const member = { operatorId: support.id, applicationId: first };
    expect((await admin.mutate("members.add", member)).status).toBe(404);
    expect((await admin.query("members.list", { application: first })).json.result.data).toEqual([]);
  });

  it("who becomes support is a member of nothing", async () => {
    const { id } = await newMember([first]);
    expect((await admin.mutate("operators.setRole", { id, role: "support" })).status).toBe(200);
    expect((await admin.query("members.list", { application: first })).json.result.data).toEqual([]);
    const rows = await db().prisma.applicationMember.findMany({ where: { operatorId: id } });
    expect(rows).toEqual([]);
  });
});

describe("an invitation where there is single sign-on", () => {
  let there: Issuer;
  beforeAll(async () => {
    there = await configuredIssuer();
  });
  afterAll(() => there.close());

  async function leave(staff: Browser, email: string): Promise<string> {
    const left = await accept(staff, (await invite(email, [first])).link, { way: "issuer", password: "", again: "" });
    expect(left.status).toBe(303);
    const asked = await fetch(left.headers.get("location") ?? "", { redirect: "manual" });
    const back = new URL(asked.headers.get("location") ?? "");
    return back.pathname + back.search;
  }

  it("is accepted without a password by whoever the issuer says has its email address", async () => {
    const email = newEmail();
    there.person = { email, email_verified: true };
    const staff = browser();
    const back = await leave(staff, email);
    const answer = await staff.get(back, { "sec-fetch-site": "cross-site" });
    expect(answer.headers.get("location")).toBe("/dashboard");
    expect((await staff.query("session.me")).json.result.data).toMatchObject({ email, hasPassword: false });
    expect(await applicationsOf(staff)).toEqual([first]);
    expect(await isRefused({ email, password: "" })).toBe(true);
  });

  it("signs nobody else in", async () => {
    const email = newEmail();
    there.person = { email: newEmail(), email_verified: true };
    const staff = browser();
    const back = await leave(staff, email);
    const answer = await staff.get(back, { "sec-fetch-site": "cross-site" });
    expect(answer.headers.get("location")).toBe("/dashboard/sign-in?note=no_operator");
    expect(staff.jar.has(cookieName("session"))).toBe(false);
  });

  it("can be accepted with a password all the same", async () => {
    const answer = await accept(browser(), (await invite(newEmail(), [first])).link);
    expect(answer.headers.get("location")).toBe("/dashboard");
  });
});

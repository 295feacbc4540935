import { createHook } from "node:async_hooks";
import { encode } from "next-auth/jwt";
import { beforeEach, describe, expect, it } from "vitest";
import { cookieName } from "@/server/auth/session-cookie";
import { provideEnv } from "@/server/env";
import type { FakeClock } from "../../fakes/clock";
import { withoutTable } from "../../fakes/missing-name";
import { auditTrail, disableOperators } from "../../fakes/stored-operators";
import { ownDatabase } from "../own-database";
import { browser, field, laterClock, newOperator, PASSWORD, signedInBrowser, signIn } from "./browser";

// One of its tests takes everybody's operators away for a moment.
ownDatabase();

const WRONG = "Incorrect email or password.";

let clock: FakeClock;
beforeEach(() => {
  clock = laterClock();
});

describe("signing in with a password", () => {
  it("opens a session, and leads to the dashboard", async () => {
    const person = await newOperator();
    const staff = browser();
    const answer = await signIn(staff, person);
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "/dashboard"]);
    const me = await staff.query("session.me");
    expect(me.json.result.data).toMatchObject({ id: person.id, email: person.email, role: "support" });
    const [entry] = await auditTrail(person.id);
    expect(entry).toMatchObject({ action: "sign_in.succeeded", detail: { way: "password" }, address: "127.0.0.1" });
  });

  it("accepts the email in any case and with spaces around it", async () => {
    const person = await newOperator();
    const answer = await signIn(browser(), { email: ` ${person.email.toUpperCase()} ` });
    expect(answer.status).toBe(303);
  });

  it("leads to the page that was asked for, when that is one of the dashboard", async () => {
    const person = await newOperator();
    const path = `/dashboard/sign-in?from=${encodeURIComponent("/dashboard/deliveries?state=failed&id=whd_1")}`;
    const answer = await signIn(browser(), person, { path });
    expect(answer.headers.get("location")).toBe("/dashboard/deliveries?state=failed&id=whd_1");
  });

  it("leads nowhere else", async () => {
    const person = await newOperator();
    const from = "https://evil.example/dashboard";
    const staff = browser();
    const page = await staff.get(`/dashboard/sign-in?from=${encodeURIComponent(from)}`);
    expect(field(page, "from")).toBe("/dashboard");
    const form = { email: person.email, password: PASSWORD, csrfToken: field(page, "csrfToken") };
    const answer = await staff.post("/api/auth/callback/credentials", { ...form, from, callbackUrl: from });
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "/dashboard"]);
  });

  it("says the same of an unknown address, a wrong password, a disabled operator and one without a password", async () => {
    const [known, disabled, passwordless] = [
      await newOperator(),
      await newOperator(),
      await newOperator({ password: "none" }),
    ];
    await disableOperators({ id: disabled.id });
    const tries = [
      { email: "nobody@acme.io" },
      { email: "not an address\u0000" },
      { email: known.email, password: "another password" },
      { email: disabled.email },
      { email: passwordless.email },
    ];
    for (const given of tries) {
      const staff = browser();
      const sent = await signIn(staff, given);
      expect([sent.status, sent.headers.get("location"), sent.text]).toEqual([303, "/dashboard/sign-in", ""]);
      expect(staff.jar.has(cookieName("session"))).toBe(false);
      const answer = await staff.get("/dashboard/sign-in");
      expect([answer.status, answer.text.includes(WRONG)]).toEqual([200, true]);
      expect(answer.headers.getSetCookie().join()).not.toContain(cookieName("session"));
      expect(answer.text).not.toContain(given.password ?? PASSWORD);
    }
    const reasons = await Promise.all(
      [known, disabled, passwordless].map(async ({ id }) => (await auditTrail(id))[0]?.detail.reason),
    );
    expect(reasons).toEqual(["wrong_password", "disabled", "wrong_password"]);
    const unknown = await auditTrail("sign-in");
    expect(unknown.at(-1)).toMatchObject({ operator_id: null, actor: "Unknown user" });
    expect(JSON.stringify(unknown)).not.toContain("nobody@acme.io");
  });

  it("keeps the email and the page that was asked for after a wrong password, and shows the notice once", async () => {
    const person = await newOperator();
    const staff = browser();
    const path = "/dashboard/sign-in?from=%2Fdashboard%2Frequests";
    const sent = await signIn(staff, { email: person.email, password: "another password" }, { path });
    expect(sent.headers.get("location")).toBe(path);
    const page = await staff.get(path);
    expect(page.text).toContain(`value="${person.email}"`);
    expect(page.text).toMatch(/<title>Incorrect email or password\. · Almanac<\/title>/);
    const reloaded = await staff.get(path);
    expect([reloaded.text.includes(WRONG), reloaded.text.includes(person.email)]).toEqual([false, false]);
    expect((await signIn(staff, person, { path })).headers.get("location")).toBe("/dashboard/requests");
  });

  it("derives a key for an unknown address too, so that time tells nothing", async () => {
    const person = await newOperator({ password: "slow" });
    let derived = 0;
    const derivations = createHook({
      init: (_, type) => {
        if (type === "SCRYPTREQUEST") derived += 1;
      },
    }).enable();
    const counted = async (email: string) => {
      derived = 0;
      await signIn(browser(), { email, password: "another password" });
      return derived;
    };
    expect([await counted(person.email), await counted("nobody-at-all@acme.io")]).toEqual([1, 1]);
    derivations.disable();
  });

  it("refuses a form whose token is not this browser's", async () => {
    const person = await newOperator();
    const staff = browser();
    await staff.get("/dashboard/sign-in");
    const csrfToken = field(await browser().get("/dashboard/sign-in"), "csrfToken");
    for (const token of [csrfToken, "", "0".repeat(64)]) {
      const form = { email: person.email, password: PASSWORD, csrfToken: token };
      const answer = await staff.post("/api/auth/callback/credentials", form);
      expect([answer.status, answer.text.includes("This form has expired")]).toEqual([400, true]);
    }
    expect((await staff.query("session.me")).status).toBe(401);
    expect(await auditTrail(person.id)).toEqual([]);
  });

  it("says that it failed on our side, and under which id the log has it, while the database fails", async () => {
    const person = await newOperator();
    const staff = browser();
    const answer = await withoutTable("operators", () => signIn(staff, person));
    const id = answer.headers.get("svc-request-id");
    expect(answer.status).toBe(500);
    expect(answer.text).toContain(`An internal error occurred. Request ID: ${id}`);
    expect(staff.jar.has(cookieName("session"))).toBe(false);
    expect((await signIn(staff, person)).headers.get("location")).toBe("/dashboard");
  });

  it("refuses a form of another site", async () => {
    const person = await newOperator();
    const icalRecurrence: Record<string, string>[] = [
      { "sec-fetch-site": "cross-site", origin: "https://evil.example" },
      { "sec-fetch-site": "same-site" },
    ];
    for (const headers of icalRecurrence) {
      const staff = browser();
      expect((await signIn(staff, person, { headers })).status).toBe(400);
      expect((await staff.query("session.me")).status).toBe(401);
    }
  });

  it("ends the session that the browser had", async () => {
    const person = await newOperator();
    const staff = await signedInBrowser(person);
    const session = staff.jar.get(cookieName("session"));
    expect((await staff.get("/dashboard/sign-in")).headers.get("location")).toBe("/dashboard");
    staff.jar.delete(cookieName("session"));
    const page = await staff.get("/dashboard/sign-in");
    clock.advance(1000);
    staff.jar.set(cookieName("session"), session ?? "");
    const form = { email: person.email, password: PASSWORD, csrfToken: field(page, "csrfToken") };
    expect((await staff.post("/api/auth/callback/credentials", form)).status).toBe(303);
    const sessions = await staff.query("session.list");
    expect(sessions.json.result.data.map(({ state }: { state: string }) => state)).toEqual(["open", "ended"]);
  });
});

describe("the throttle", () => {
  it("lets an address be tried ten times and then says when again, whoever it belongs to", async () => {
    const person = await newOperator();
    for (const email of [person.email, "unknown-1@acme.io"]) {
      for (let i = 0; i < 10; i += 1) {
        expect((await browser().post("/api/auth/callback/credentials", { email, password: "x" })).status).toBe(400);
      }
      clock.advance(1000);
      const refused = await signIn(browser(), { email });
      expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "29"]);
      expect(refused.text).toContain("Too many attempts. Try again in 29 seconds.");
      clock.advance(29_000);
      const later = await signIn(browser(), { email });
      expect(later.headers.get("location")).toBe(email === person.email ? "/dashboard" : "/dashboard/sign-in");
    }
  });

  it("refuses what would wait too long for its password to be checked, and says when to try again", async () => {
    const tries = Array.from({ length: 20 }, (_, i) => signIn(browser(), { email: `unknown-${i}@acme.io` }));
    const answers = await Promise.all(tries);
    const busy = answers.filter(({ status }) => status === 503);
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(12);
    expect(busy).toHaveLength(8);
    for (const { headers, text } of busy) {
      expect(headers.get("retry-after")).toBe("3");
      expect(text).toContain("Sign-in is busy right now. Try again in 3 seconds.");
    }
  });

  it("goes by the socket's address, whatever headers say", async () => {
    const tried: number[] = [];
    const staff = browser();
    const csrfToken = field(await staff.get("/dashboard/sign-in"), "csrfToken");
    for (let i = 0; i < 32; i += 1) {
      const address = `203.0.113.${i}`;
      const headers = {
        "x-forwarded-for": address,
        forwarded: `for=${address}`,
        "x-real-ip": address,
        "x-almanac-address": address,
      };
      const form = { email: `unknown-${i}@acme.io`, password: "x", csrfToken: "wrong" };
      tried.push((await staff.post("/api/auth/callback/credentials", form, headers)).status);
    }
    expect(csrfToken).toMatch(/^[0-9a-f]{64}$/);
    expect(tried.filter((status) => status === 400)).toHaveLength(30);
    expect(tried.slice(30)).toEqual([429, 429]);
  });
});

describe("the sign-in page", () => {
  it("is one page without scripts that loads nothing from elsewhere", async () => {
    const page = await browser().get("/dashboard/sign-in");
    expect(page.status).toBe(200);
    expect(page.headers.get("cache-control")).toBe("no-store");
    expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(page.headers.get("content-security-policy")).not.toContain("script-src");
    expect(page.text).not.toMatch(/<script|https?:\/\//);
    expect(page.text).not.toContain("style=");
    expect(page.text).not.toContain("single sign-on");
  });

  it("gives its style the nonce of the page's policy", async () => {
    const headers = { "content-security-policy": "style-src 'self' 'nonce-QUJD+/=='" };
    expect((await browser().get("/dashboard/sign-in", headers)).text).toContain('<style nonce="QUJD+/==">');
  });

  it("shows what was typed only as text", async () => {
    const typed = '"><script>alert(1)</script>';
    const staff = browser();
    await signIn(staff, { email: typed, password: "x" });
    const answer = await staff.get("/dashboard/sign-in");
    expect(answer.text).toContain("&lt;script&gt;");
    expect(answer.text).not.toContain("<script>");
    const noted = await browser().get(`/dashboard/sign-in?note=${encodeURIComponent(typed)}`);
    expect(noted.text).not.toContain("alert");
  });

  it("stands at its own path alone: next-auth's pages are not there", async () => {
    for (const path of [
      "signin",
      "signout",
      "error",
      "verify-request",
      "session",
      "providers",
      "csrf",
      "_log",
      "",
      "callback/oidc/x",
    ]) {
      expect([path, (await browser().get(`/api/auth/${path}`)).status]).toEqual([path, 404]);
    }
  });
});

describe("cookies", () => {
  it("are for this host alone, and closed to scripts", async () => {
    const staff = browser();
    const page = await staff.get("/dashboard/sign-in");
    const answer = await signIn(staff, await newOperator());
    const lines = [...page.headers.getSetCookie(), ...answer.headers.getSetCookie()];
    expect(lines.some((line) => line.startsWith("almanac-session="))).toBe(true);
    for (const line of lines) expect(line).toMatch(/; Path=\/;.*HttpOnly; SameSite=Lax$/);
    for (const line of lines) expect(line).not.toMatch(/domain=/i);
  });

  it("have the __Host- prefix and are secure where the dashboard has https", async () => {
    provideEnv({ APP_URL: "https://dashboard.acme.io" });
    try {
      const staff = browser();
      const page = await staff.get("/dashboard/sign-in");
      const answer = await signIn(staff, await newOperator());
      expect(answer.status).toBe(303);
      const lines = [...page.headers.getSetCookie(), ...answer.headers.getSetCookie()];
      expect(lines.some((line) => line.startsWith("__Host-almanac-session="))).toBe(true);
      for (const line of lines) expect(line).toMatch(/^__Host-almanac-.*; Path=\/;.*HttpOnly; Secure; SameSite=Lax$/);
    } finally {
      provideEnv({ APP_URL: "" });
    }
  });

  it("that another secret made, or that nobody made, name no session", async () => {
    const staff = await signedInBrowser(await newOperator());
    expect((await staff.query("session.me")).status).toBe(200);
    const token = { sessionId: staff.sessionId };
    for (const forged of [await encode({ token, secret: "another" }), staff.sessionId, "a.b.c.d.e", ""]) {
      staff.jar.set(cookieName("session"), forged);
      expect((await staff.query("session.me")).status).toBe(401);
    }
  });
});

describe("signing out", () => {
  it("ends the session at once, for every copy of the cookie", async () => {
    const staff = await signedInBrowser(await newOperator());
    const copy = staff.jar.get(cookieName("session")) ?? "";
    const answer = await staff.post("/api/auth/signout", {});
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "/dashboard/sign-in?note=signed_out"]);
    expect(staff.jar.has(cookieName("session"))).toBe(false);
    staff.jar.set(cookieName("session"), copy);
    expect((await staff.query("session.me")).status).toBe(401);
    expect((await auditTrail(staff.sessionId)).map(({ action }) => action)).toEqual(["signed_out"]);
    expect((await staff.get("/dashboard/sign-in?note=signed_out")).text).toContain("You’re signed out.");
  });

  it("is not for other sites to ask for, and not for links", async () => {
    const staff = await signedInBrowser(await newOperator());
    expect((await staff.post("/api/auth/signout", {}, { "sec-fetch-site": "cross-site" })).status).toBe(400);
    expect((await staff.get("/api/auth/signout")).status).toBe(404);
    expect((await staff.query("session.me")).status).toBe(200);
  });
});

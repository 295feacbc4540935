import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { cookieName } from "@/server/auth/session-cookie";
import { env, provideEnv } from "@/server/env";
import type { Issuer } from "../../fakes/issuer";
import { withoutTable } from "../../fakes/missing-name";
import { auditTrail, disableOperators } from "../../fakes/stored-operators";
import { ownDatabase } from "../own-database";
import type { ApiResponse } from "../service";
import { type Browser, browser, field, laterClock, newOperator } from "./browser";
import { configuredIssuer } from "./configured-issuer";

// One of its tests takes everybody's operators away for a moment.
ownDatabase();

let there: Issuer;
beforeAll(async () => {
  there = await configuredIssuer();
});
afterAll(() => there.close());
beforeEach(() => {
  laterClock();
  Object.assign(there, { person: {}, onlyAsked: [], forged: {}, hasStrangeKey: false });
});

/** Presses the button, and gives the address to which the issuer sends the browser back. */
async function throughIssuer(staff: Browser, from = ""): Promise<string> {
  const page = await staff.get(`/dashboard/sign-in?${new URLSearchParams({ from })}`);
  expect(page.text).toContain("Sign in with Acme");
  const form = { csrfToken: field(page, "csrfToken"), from: field(page, "from") };
  const left = await staff.post("/api/auth/signin/oidc", form);
  expect(left.status).toBe(303);
  const asked = await fetch(left.headers.get("location") ?? "", { redirect: "manual" });
  const back = new URL(asked.headers.get("location") ?? "");
  expect(back.origin + back.pathname).toBe(`${env().APP_URL}/api/auth/callback/oidc`);
  return back.pathname + back.search;
}

async function signInThere(staff: Browser, from?: string): Promise<ApiResponse> {
  return staff.get(await throughIssuer(staff, from), { "sec-fetch-site": "cross-site" });
}

function where(answer: ApiResponse): [number, string | null] {
  return [answer.status, answer.headers.get("location")];
}

const FAILED = [303, "/dashboard/sign-in?note=single_sign_on"];
const NOBODY = [303, "/dashboard/sign-in?note=no_operator"];

describe("single sign-on", () => {
  it("signs in the operator with the verified email address, and leads to the page that was asked for", async () => {
    const person = await newOperator({ role: "admin", password: "none" });
    there.person = { email: person.email.toUpperCase(), email_verified: true };
    const staff = browser();
    expect(where(await signInThere(staff, "/dashboard/requests?status=500"))).toEqual([
      303,
      "/dashboard/requests?status=500",
    ]);
    expect((await staff.query("session.me")).json.result.data).toMatchObject({ id: person.id, hasPassword: false });
    expect((await auditTrail(person.id))[0]).toMatchObject({
      action: "sign_in.succeeded",
      detail: { way: "single_sign_on" },
      address: "127.0.0.1",
    });
  });

  it("says that it failed on our side while the database fails", async () => {
    const person = await newOperator();
    there.person = { email: person.email, email_verified: true };
    const answer = await withoutTable("operators", () => signInThere(browser()));
    expect(answer.status).toBe(500);
    expect(answer.text).toContain(`An internal error occurred. Request ID: ${answer.headers.get("svc-request-id")}`);
  });

  it("asks the userinfo endpoint where the ID token has no email address", async () => {
    const person = await newOperator();
    Object.assign(there, {
      person: { email: person.email, email_verified: true },
      onlyAsked: ["email", "email_verified"],
    });
    expect(where(await signInThere(browser()))).toEqual([303, "/dashboard"]);
  });

  it("takes nobody in who is no operator, is disabled, or whose address is not verified", async () => {
    const [person, disabled] = [await newOperator(), await newOperator()];
    await disableOperators({ id: disabled.id });
    const people = [
      { email: "nobody@acme.io", email_verified: true },
      { email: disabled.email, email_verified: true },
      { email: person.email, email_verified: false },
      { email: person.email },
      { email: person.email, email_verified: "true" },
      { email_verified: true },
    ];
    for (const claims of people) {
      there.person = claims;
      const staff = browser();
      expect(where(await signInThere(staff))).toEqual(NOBODY);
      expect(staff.jar.has(cookieName("session"))).toBe(false);
    }
    expect((await auditTrail(disabled.id)).at(-1)).toMatchObject({
      action: "sign_in.failed",
      detail: { reason: "disabled", way: "single_sign_on" },
    });
    expect(await auditTrail(person.id)).toEqual([]);
  });

  it.each([
    ["a nonce of another sign-in", { forged: { nonce: "another" } }],
    ["an empty subject", { forged: { sub: "" } }],
    ["a subject that is a number", { forged: { sub: 7 } }],
    ["another audience", { forged: { aud: "another-client" } }],
    ["another issuer", { forged: { iss: "https://evil.example" } }],
    ["a time that is over", { forged: { exp: 1_000_000 } }],
    ["a signature by a key that is not published", { hasStrangeKey: true }],
  ])("refuses an ID token with %s", async (_, forging) => {
    const person = await newOperator();
    Object.assign(there, { person: { email: person.email, email_verified: true }, ...forging });
    const staff = browser();
    expect(where(await signInThere(staff))).toEqual(FAILED);
    expect(staff.jar.has(cookieName("session"))).toBe(false);
    expect((await staff.get("/dashboard/sign-in?note=single_sign_on")).text).toContain("Sign-in with Acme failed");
  });

  it("refuses an answer that another browser asked for, that was changed, or that comes twice", async () => {
    const person = await newOperator();
    there.person = { email: person.email, email_verified: true };
    const staff = browser();
    const back = await throughIssuer(staff);
    expect(where(await browser().get(back))).toEqual(FAILED);
    expect(where(await browser().get("/api/auth/callback/oidc?error=access_denied"))).toEqual(FAILED);
    const copy = new Map(staff.jar);
    expect(where(await staff.get(back))).toEqual([303, "/dashboard"]);
    const again = browser();
    for (const [name, value] of copy) again.jar.set(name, value);
    expect(where(await again.get(back))).toEqual(FAILED);
    const changed = browser();
    expect(where(await changed.get((await throughIssuer(changed)).replace(/state=[^&]+/, "state=other")))).toEqual(
      FAILED,
    );
  });

  it("begins only with a form of ours", async () => {
    const staff = browser();
    const csrfToken = field(await staff.get("/dashboard/sign-in"), "csrfToken");
    expect((await staff.post("/api/auth/signin/oidc", { csrfToken: "another" })).status).toBe(400);
    expect((await staff.post("/api/auth/signin/oidc", { csrfToken }, { "sec-fetch-site": "cross-site" })).status).toBe(
      400,
    );
    expect((await staff.get("/api/auth/signin/oidc")).status).toBe(404);
  });

  it("says so when the issuer does not answer", async () => {
    provideEnv({ OIDC_ISSUER: "http://127.0.0.1:9" });
    try {
      const staff = browser();
      const csrfToken = field(await staff.get("/dashboard/sign-in"), "csrfToken");
      const answer = await staff.post("/api/auth/signin/oidc", { csrfToken });
      expect([answer.status, answer.text.includes("Sign-in with Acme failed")]).toEqual([502, true]);
    } finally {
      provideEnv({ OIDC_ISSUER: there.url });
    }
  });
});

import { randomBytes } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { db } from "@/server/db/client";
import { auditTrail, disableOperators } from "../../fakes/stored-operators";
import { ownDatabase } from "../own-database";
import { type Browser, browser, isRefused, laterClock, newOperator, signedInBrowser, signIn } from "./browser";

// Who the last admin is depends on everybody's rows.
ownDatabase();

let admin: Browser;
let adminId: string;
beforeEach(async () => {
  laterClock();
  await disableOperators({ role: "admin" });
  const person = await newOperator({ role: "admin" });
  admin = await signedInBrowser(person);
  adminId = person.id;
});

const newEmail = () => `${randomBytes(6).toString("hex")}@acme.io`;

describe("operators.create", () => {
  it("adds an operator, and tells the password that it made once", async () => {
    const email = newEmail();
    const made = await admin.mutate("operators.create", {
      email: ` ${email.toUpperCase()}`,
      name: "Ada",
      role: "support",
    });
    const { id, password } = made.json.result.data;
    expect(id).toMatch(/^opr_/);
    expect(password).toMatch(/^[\w-]{20}$/);
    expect((await signIn(browser(), { email, password })).headers.get("location")).toBe("/dashboard");
    const [entry] = await auditTrail(id);
    expect(entry).toMatchObject({
      action: "operator.created",
      operator_id: adminId,
      detail: { email, role: "support" },
    });
    const listed = (await admin.query("operators.list")).json.result.data;
    expect(listed.find((row: { id: string }) => row.id === id)).toMatchObject({
      email,
      name: "Ada",
      role: "support",
      hasPassword: true,
      disabledAt: null,
      openSessions: 1,
    });
    expect(JSON.stringify(listed)).not.toContain("scrypt");
    expect(JSON.stringify(listed)).not.toContain(password);
  });

  it("takes a password that was given, and tells none", async () => {
    const given = { email: newEmail(), name: "Ada", role: "support", password: "twelve chars" };
    expect((await admin.mutate("operators.create", given)).json.result.data.password).toBeNull();
  });

  it("refuses what no operator can have, with a sentence for each field", async () => {
    const sound = { email: newEmail(), name: "Ada", role: "support" };
    const taken = (await newOperator()).email;
    const cases: [object, string, string][] = [
      [{ ...sound, email: "nobody" }, "email", "Email must be a valid email address."],
      [{ ...sound, email: taken.toUpperCase() }, "email", "Email is already used by another operator."],
      [{ ...sound, name: "  " }, "name", "Name is required."],
      [
        { ...sound, name: "Ada\u202eecalevoL" },
        "name",
        "Name must have no line breaks, and no control or bidirectional formatting characters.",
      ],
      [{ ...sound, role: "owner" }, "role", "Role must be one of admin, support."],
      [{ ...sound, password: "elevenchars" }, "password", "Password must have at least 12 characters."],
      [{ ...sound, password: sound.email }, "password", "Password must not be the email address."],
      [
        { ...sound, password: "1Q2w3e4r5t6y" },
        "password",
        "Password is one of the most common passwords. Choose another one.",
      ],
      [
        { ...sound, password: "passwordpassword" },
        "password",
        "Password is one of the most common passwords. Choose another one.",
      ],
      [
        { ...sound, password: "abababababababab" },
        "password",
        "Password repeats only a few characters. Choose another one.",
      ],
    ];
    for (const [input, path, message] of cases) {
      const { status, json } = await admin.mutate("operators.create", input);
      expect([status, json.error.message]).toEqual([422, message]);
      expect(json.error.data.refusal.issues[0].path).toEqual([path]);
    }
  });
});

it("operators.create gives an email address to one of several who are added with it at once", async () => {
  const email = newEmail();
  const add = () => admin.mutate("operators.create", { email, name: "Ada", role: "support" });
  const answers = await Promise.all([add(), add(), add()]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422]);
  const listed = (await admin.query("operators.list")).json.result.data;
  const [added] = listed.filter((row: { email: string }) => row.email === email);
  const audited = await db().prisma.auditEntry.findMany({ where: { action: "operator.created", object: added.id } });
  expect(audited).toHaveLength(1);
});

describe("operators.disable, enable and setRole", () => {
  it("end the sessions, keep out, and let in again", async () => {
    const person = await newOperator();
    const theirs = await signedInBrowser(person);
    expect((await admin.mutate("operators.disable", { id: person.id })).status).toBe(200);
    expect((await theirs.query("session.me")).status).toBe(401);
    expect(await isRefused(person)).toBe(true);
    expect((await admin.mutate("operators.enable", { id: person.id })).status).toBe(200);
    expect((await theirs.query("session.me")).status).toBe(401);
    expect((await signIn(browser(), person)).headers.get("location")).toBe("/dashboard");
    const actions = (await auditTrail(person.id)).map(({ action, detail }) => [action, detail.sessions]);
    expect(actions).toEqual([
      ["operator.disabled", 1],
      ["sign_in.failed", undefined],
      ["operator.enabled", undefined],
      ["sign_in.succeeded", undefined],
    ]);
  });

  it("never leave nobody who is an admin", async () => {
    for (const [procedure, input] of [
      ["operators.disable", { id: adminId }],
      ["operators.setRole", { id: adminId, role: "support" }],
    ] as const) {
      const refused = await admin.mutate(procedure, input);
      expect([refused.status, refused.json.error.message]).toEqual([
        409,
        "This is the last admin. Make another operator an admin first.",
      ]);
    }
    const second = await newOperator();
    await admin.mutate("operators.setRole", { id: second.id, role: "admin" });
    expect((await admin.mutate("operators.setRole", { id: adminId, role: "support" })).status).toBe(200);
    expect((await admin.query("operators.list")).status).toBe(403);
  });

  it("never leave nobody when two admins demote each other at once", async () => {
    const second = await newOperator({ role: "admin" });
    const other = await signedInBrowser(second);
    const answers = await Promise.all([
      admin.mutate("operators.setRole", { id: second.id, role: "support" }),
      other.mutate("operators.setRole", { id: adminId, role: "support" }),
    ]);
    expect(await db().prisma.operator.count({ where: { role: "admin", disabledAt: null } })).toBe(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it("answer 404 for an id that nobody has", async () => {
    for (const procedure of ["disable", "enable", "resetPassword"]) {
      const refused = await admin.mutate(`operators.${procedure}`, { id: "opr_none" });
      expect([refused.status, refused.json.error.message]).toEqual([404, "Nothing was found with this ID."]);
    }
  });
});

describe("operators.resetPassword", () => {
  it("gives a new password, told once, and ends the sessions", async () => {
    const person = await newOperator();
    const theirs = await signedInBrowser(person);
    const { password } = (await admin.mutate("operators.resetPassword", { id: person.id })).json.result.data;
    expect((await theirs.query("session.me")).status).toBe(401);
    expect(await isRefused(person)).toBe(true);
    expect((await signIn(browser(), { ...person, password })).headers.get("location")).toBe("/dashboard");
    const kept = JSON.stringify(await auditTrail(person.id));
    expect(kept).toContain("operator.password_reset");
    expect(kept).not.toContain(password);
  });

  it("is for others: one's own is changed for the present one alone", async () => {
    const refused = await admin.mutate("operators.resetPassword", { id: adminId });
    expect([refused.status, refused.json.error.message]).toEqual([409, "Change your own password in your profile."]);
    expect(await auditTrail(adminId)).toEqual([]);
  });
});

describe("support", () => {
  it("may do none of it, nor read the audit trail", async () => {
    const person = await newOperator();
    const staff = await signedInBrowser(person);
    const inputs: Record<string, object> = {
      create: { email: newEmail(), name: "Ada", role: "admin" },
      setRole: { id: person.id, role: "admin" },
      disable: { id: adminId },
      enable: { id: person.id },
      resetPassword: { id: adminId },
    };
    for (const [procedure, input] of Object.entries(inputs)) {
      const refused = await staff.mutate(`operators.${procedure}`, input);
      expect([refused.status, refused.json.error.message]).toEqual([403, "Only admins can do this."]);
    }
    for (const query of ["operators.list", "audit.list"]) expect((await staff.query(query)).status).toBe(403);
    expect((await staff.query("session.me")).json.result.data.role).toBe("support");
  });
});

describe("audit.list", () => {
  it("gives who did what, the newest first, page by page and by object or operator", async () => {
    const person = await newOperator();
    for (const procedure of ["disable", "enable", "disable"])
      await admin.mutate(`operators.${procedure}`, { id: person.id });
    const first = (await admin.query("audit.list", { object: person.id, limit: 2 })).json.result.data;
    expect(first.items).toMatchObject([
      { action: "operator.disabled", operatorId: adminId, object: person.id, address: "127.0.0.1" },
      { action: "operator.enabled" },
    ]);
    expect(first.items[0].actor).toMatch(/@acme\.io \(admin\)$/);
    expect(first.items[0].requestId).toMatch(/^req_/);
    const second = (await admin.query("audit.list", { object: person.id, limit: 2, after: first.next })).json.result
      .data;
    expect([second.items.length, second.next]).toEqual([1, null]);
    const mine = (await admin.query("audit.list", { operatorId: adminId })).json.result.data;
    expect(mine.items).toHaveLength(3);
    const forged = Buffer.from("2026-11-21T00:00:00.000000Z abc").toString("base64url");
    for (const after of ["x", forged]) expect((await admin.query("audit.list", { after })).status).toBe(422);
  });

  it("gives a view, narrowed to a time, an action or an application", async () => {
    const person = await newOperator();
    await admin.mutate("operators.disable", { id: person.id });
    const { id } = (await admin.mutate("applications.create", { name: "Acme", redirectUris: [] })).json.result.data;
    await admin.mutate("applications.disable", { id });
    await expect(signIn(browser(), { email: person.email, password: "not this one" })).resolves.toBeDefined();
    await admin.mutate("session.changePassword", { current: "not this one", next: "a new password" });
    const actions = async (narrowed: object) =>
      (await admin.query("audit.list", { operatorId: adminId, ...narrowed })).json.result.data.items.map(
        ({ action }: { action: string }) => action,
      );
    const changes = ["application.disabled", "application.created", "operator.disabled"];
    expect(await actions({ view: ["changes"] })).toEqual(changes);
    expect(await actions({ view: ["sign_ins"] })).toEqual(["password.refused", "password.tried"]);
    expect(await actions({ view: ["reads"] })).toEqual([]);
    expect(await actions({ view: ["changes"], action: ["operator.disabled", "password.refused"] })).toEqual([
      "operator.disabled",
    ]);
    expect(await actions({ action: ["operator.disabled", "password.refused"] })).toEqual([
      "password.refused",
      "operator.disabled",
    ]);
    expect(await actions({ application: id })).toEqual(["application.disabled", "application.created"]);
    expect(await actions({ application: id, object: person.id })).toEqual([]);
    const { items } = (await admin.query("audit.list", { operatorId: adminId })).json.result.data;
    const [{ at: newest }] = items;
    expect(await actions({ to: newest, view: ["sign_ins"] })).toEqual([]);
    expect(await actions({ from: newest, view: ["changes"] })).toHaveLength(3);
    const after = new Date(Date.parse(newest) + 1).toISOString();
    expect([await actions({ from: after }), await actions({ to: after, view: ["changes"] })]).toEqual([[], changes]);
    for (const unknown of [{ view: ["writes"] }, { action: ["operator.renamed"] }, { from: "today" }])
      expect((await admin.query("audit.list", unknown)).status).toBe(422);
  });
});

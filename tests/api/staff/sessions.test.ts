import { beforeEach, describe, expect, it } from "vitest";
import { db } from "@/server/db/client";
import type { FakeClock } from "../../fakes/clock";
import { auditTrail, setOperatorRole } from "../../fakes/stored-operators";
import { browser, isRefused, laterClock, newOperator, PASSWORD, signedInBrowser, signIn } from "./browser";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let clock: FakeClock;
beforeEach(() => {
  clock = laterClock();
});

async function lastSeen(sessionId: string): Promise<number> {
  const row = await db().prisma.operatorSession.findUniqueOrThrow({ where: { id: sessionId } });
  return row.lastSeenAt.getTime();
}

describe("a session", () => {
  it("is over two hours after it was last used", async () => {
    const staff = await signedInBrowser(await newOperator());
    clock.advance(2 * HOUR - 1);
    expect((await staff.query("session.me")).status).toBe(200);
    clock.advance(2 * HOUR);
    expect((await staff.query("session.me")).status).toBe(401);
  });

  it("is over twelve hours after the sign-in however much it is used", async () => {
    const staff = await signedInBrowser(await newOperator());
    for (let i = 0; i < 11; i += 1) {
      clock.advance(HOUR);
      expect((await staff.query("session.me")).status).toBe(200);
    }
    clock.advance(HOUR);
    expect((await staff.query("session.me")).status).toBe(401);
  });

  it("notes at most once a minute that it was seen", async () => {
    const staff = await signedInBrowser(await newOperator());
    const opened = await lastSeen(staff.sessionId);
    clock.advance(MINUTE);
    await staff.query("session.me");
    expect(await lastSeen(staff.sessionId)).toBe(opened);
    clock.advance(1);
    await staff.query("session.me");
    expect(await lastSeen(staff.sessionId)).toBe(opened + MINUTE + 1);
  });

  it("is refused at once when it was ended, although its cookie is as good as before", async () => {
    const person = await newOperator();
    const [here, there] = [await signedInBrowser(person), await signedInBrowser(person)];
    expect((await here.mutate("session.end", { id: there.sessionId })).status).toBe(200);
    expect((await there.query("session.me")).status).toBe(401);
    expect((await here.query("session.me")).status).toBe(200);
    expect(await auditTrail(there.sessionId)).toMatchObject([{ action: "session.ended", operator_id: person.id }]);
    await here.mutate("session.end", { id: there.sessionId });
    expect(await auditTrail(there.sessionId)).toHaveLength(1);
  });

  it("is ended once, by whoever comes first of several at once", async () => {
    const person = await newOperator();
    const [here, there] = [await signedInBrowser(person), await signedInBrowser(person)];
    const ends = Array.from({ length: 4 }, () => here.mutate("session.end", { id: there.sessionId }));
    expect((await Promise.all(ends)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await auditTrail(there.sessionId)).toHaveLength(1);
  });

  it("goes by the role that its operator has now", async () => {
    const person = await newOperator({ role: "admin" });
    const staff = await signedInBrowser(person);
    expect((await staff.query("operators.list")).status).toBe(200);
    await setOperatorRole(person.id, "support");
    expect((await staff.query("operators.list")).status).toBe(403);
  });
});

describe("session.list and session.end", () => {
  it("show and end one's own", async () => {
    const person = await newOperator();
    const staff = await signedInBrowser(person);
    const from = browser();
    clock.advance(1000);
    const signedIn = await signIn(from, person, { headers: { "user-agent": "Firefox/145.0 (Windows)" } });
    expect(signedIn.status).toBe(303);
    const { data } = (await staff.query("session.list")).json.result;
    expect(data).toMatchObject([
      {
        operatorId: person.id,
        way: "password",
        state: "open",
        isCurrent: false,
        address: "127.0.0.1",
        userAgent: "Firefox/145.0 (Windows)",
        device: "Firefox on Windows",
      },
      { id: staff.sessionId, state: "open", isCurrent: true },
    ]);
    await staff.mutate("session.end", { id: data[0].id });
    expect((await staff.query("session.list")).json.result.data[0]).toMatchObject({
      state: "ended",
      endedBy: person.id,
    });
    clock.advance(3 * HOUR);
    const later = await signedInBrowser(person);
    expect((await later.query("session.list")).json.result.data.at(-1)).toMatchObject({ state: "expired" });
  });

  it("show and end those of others to admins only", async () => {
    const [person, other] = [await newOperator(), await newOperator()];
    const theirs = await signedInBrowser(person);
    const staff = await signedInBrowser(other);
    const admin = await signedInBrowser(await newOperator({ role: "admin" }));
    expect((await staff.query("session.list", { operatorId: person.id })).status).toBe(403);
    expect((await staff.mutate("session.end", { id: theirs.sessionId })).status).toBe(404);
    expect((await theirs.query("session.me")).status).toBe(200);
    expect((await admin.query("session.list", { operatorId: person.id })).json.result.data).toHaveLength(1);
    expect((await admin.mutate("session.end", { id: theirs.sessionId })).status).toBe(200);
    expect((await theirs.query("session.me")).status).toBe(401);
    expect((await admin.mutate("session.end", { id: "ses_none" })).status).toBe(404);
  });
});

describe("session.changePassword", () => {
  it("asks for the present one, and ends the other sessions", async () => {
    const person = await newOperator();
    const [here, there] = [await signedInBrowser(person), await signedInBrowser(person)];
    const changed = await here.mutate("session.changePassword", { current: PASSWORD, next: "another long password" });
    expect(changed.json.result.data).toEqual({ sessionsEnded: 1 });
    expect((await there.query("session.me")).status).toBe(401);
    expect((await here.query("session.me")).status).toBe(200);
    expect(await isRefused(person)).toBe(true);
    expect((await signIn(browser(), { ...person, password: "another long password" })).headers.get("location")).toBe(
      "/dashboard",
    );
    expect((await auditTrail(person.id)).map(({ action }) => action)).toContain("password.changed");
  });

  it("refuses a wrong present password, and after five of them every one for a while", async () => {
    const person = await newOperator();
    const staff = await signedInBrowser(person);
    const next = "another long password";
    for (let i = 0; i < 5; i += 1) {
      const refused = await staff.mutate("session.changePassword", { current: "not mine", next });
      expect([refused.status, refused.json.error.message]).toEqual([422, "Current is not your password."]);
    }
    clock.advance(10 * MINUTE);
    const refused = await staff.mutate("session.changePassword", { current: PASSWORD, next });
    expect(refused.status).toBe(429);
    // The first of the five was 10 minutes ago, and counts for 15.
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(4 * 60);
    expect(Number(refused.headers.get("retry-after"))).toBeLessThanOrEqual(5 * 60);
    clock.advance(6 * MINUTE);
    expect((await staff.mutate("session.changePassword", { current: PASSWORD, next })).status).toBe(200);
  });

  it("looks at no more than five wrong ones that arrive together", async () => {
    const staff = await signedInBrowser(await newOperator());
    const next = "another long password";
    const tries = Array.from({ length: 15 }, (_, n) =>
      staff.mutate("session.changePassword", { current: `not mine ${n}`, next }),
    );
    const statuses = (await Promise.all(tries)).map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(5).fill(422), ...Array(10).fill(429)]);
  });

  it("counts no password that was right", async () => {
    const staff = await signedInBrowser(await newOperator());
    const statusOf = async (current: string) =>
      (await staff.mutate("session.changePassword", { current, next: "another long password" })).status;
    const statuses: number[] = [];
    for (const current of ["a", "b", "c", "d", PASSWORD, "e", "f"]) statuses.push(await statusOf(current));
    expect(statuses).toEqual([422, 422, 422, 422, 200, 422, 429]);
  });

  it("refuses a new one that is short, long or the email address", async () => {
    const person = await newOperator();
    const staff = await signedInBrowser(person);
    for (const next of ["elevenchars", "x".repeat(201), person.email, person.email.toUpperCase()]) {
      const refused = await staff.mutate("session.changePassword", { current: PASSWORD, next });
      expect(refused.json.error.data.refusal.issues).toMatchObject([{ path: ["next"] }]);
    }
  });

  it("is not there for whoever has no password", async () => {
    const staff = await signedInBrowser(await newOperator({ password: "none" }));
    expect((await staff.mutate("session.changePassword", { current: "x", next: "another long password" })).status).toBe(
      409,
    );
  });
});

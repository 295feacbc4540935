import { describe, expect, it } from "vitest";
import { env } from "@/server/env";
import { withoutColumn } from "../../fakes/missing-name";
import { ownDatabase } from "../own-database";
import { address, call } from "../service";
import { browser, newOperator, signedInBrowser } from "./browser";

// One of the tests takes a column away.
ownDatabase();

const script = () => ({ origin: env().APP_URL, "sec-fetch-site": "same-origin", "x-trpc-source": "dashboard" });

describe("the tRPC route", () => {
  it("is shut to other sites, to forms and to links, cookie or not", async () => {
    const staff = await signedInBrowser(await newOperator());
    const cookie = [...staff.jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const icalRecurrence: Record<string, string>[] = [
      { ...script(), "sec-fetch-site": "cross-site" },
      { ...script(), "sec-fetch-site": "same-site" },
      { origin: "https://evil.example", "x-trpc-source": "dashboard" },
      { origin: "null", "x-trpc-source": "dashboard" },
      { "x-trpc-source": "dashboard" },
      { origin: env().APP_URL, "sec-fetch-site": "same-origin" },
    ];
    for (const headers of icalRecurrence) {
      const answer = await call("POST", "/api/trpc/session.changePassword", {
        json: {},
        headers: { ...headers, cookie },
      });
      expect([answer.status, answer.json.error]).toEqual([403, "forbidden"]);
    }
    const link = await call("GET", "/api/trpc/session.me", { headers: { cookie, "sec-fetch-site": "none" } });
    expect(link.status).toBe(403);
  });

  it("lets in a page of ours over plain http, where browsers tell only the origin", async () => {
    const staff = await signedInBrowser(await newOperator());
    const cookie = [...staff.jar].map(([name, value]) => `${name}=${value}`).join("; ");
    for (const origin of [env().APP_URL, await address()]) {
      const headers = { origin, cookie, "x-trpc-source": "dashboard" };
      const answer = await call("POST", "/api/trpc/session.end", { json: { id: "ses_none" }, headers });
      expect(answer.status).toBe(404);
    }
    const read = await call("GET", "/api/trpc/session.me", { headers: { cookie, "x-trpc-source": "dashboard" } });
    expect(read.status).toBe(200);
  });

  it("answers each refusal with its status and its sentence, and is never kept by a cache", async () => {
    const signedOut = await browser().query("session.me");
    expect([signedOut.status, signedOut.json.error.message]).toEqual([401, "You’re signed out. Sign in again."]);
    expect(signedOut.json.error.data.refusal.kind).toBe("signed_out");
    const staff = await signedInBrowser(await newOperator());
    const bad = await staff.mutate("session.end", { id: 7 });
    expect([bad.status, bad.json.error.message]).toEqual([422, "Id must be a string."]);
    for (const { headers } of [signedOut, bad]) {
      expect(headers.get("cache-control")).toBe("no-store");
      expect(headers.get("svc-request-id")).toMatch(/^req_/);
    }
  });

  it("says what is wrong in words that staff know, and of numbers what they may be", async () => {
    const staff = await signedInBrowser(await newOperator({ role: "admin" }));
    const said = async (path: string, input: object) => (await staff.query(path, input)).json.error.message;
    expect(await said("deliveries.list", { state: ["lost"] })).toBe(
      "State must be one of pending, delivered, failed, cancelled, queued, retrying.",
    );
    expect(await said("requests.list", { errorKey: "" })).toBe("Error key must not be empty.");
    expect(await said("requests.errors", { hours: 100_000 })).toMatch(/^Hours must be at most \d+\.$/);
    expect(await said("deliveries.list", { limit: 101 })).toBe("Limit must be at most 100.");
    const registered = await staff.mutate("applications.create", {
      name: "A",
      redirectUris: ["https://a.io/cb", "no"],
    });
    expect(registered.json.error.message).toMatch(/^Redirect URI 2 must be /);
    const replayed = await staff.mutate("deliveries.replays.start", { filters: { errorClass: ["odd"] }, count: 0 });
    expect(replayed.json.error.message).toMatch(/^Error class must be one of .*\. Count must be at least 1\.$/);
  });

  it("takes several calls at once, each with an answer of its own, and no more than twenty", async () => {
    const staff = await signedInBrowser(await newOperator());
    const cookie = [...staff.jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = { ...script(), cookie };
    const two = await call("GET", "/api/trpc/session.me,operators.list?batch=1&input=%7B%7D", { headers });
    expect(two.json.map((each: { error?: { message: string } }) => each.error?.message ?? "answered")).toEqual([
      "answered",
      "Only admins can do this.",
    ]);
    expect(two.headers.get("retry-after")).toBeNull();
    const many = Array.from({ length: 21 }, () => "session.me").join(",");
    expect((await call("GET", `/api/trpc/${many}?batch=1&input=%7B%7D`, { headers })).status).toBe(400);
  });

  it("says for several refusals at once how long the longest of them lasts", async () => {
    const staff = await signedInBrowser(await newOperator());
    const cookie = [...staff.jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = { ...script(), cookie, "content-type": "application/json" };
    const wrong = { current: "not mine", next: "another long password" };
    for (let i = 0; i < 5; i += 1) await staff.mutate("session.changePassword", wrong);
    const path = "/api/trpc/session.changePassword,session.changePassword?batch=1";
    const both = await call("POST", path, { headers, body: JSON.stringify({ 0: wrong, 1: wrong }) });
    expect(both.json.map((each: { error: { message: string } }) => each.error.message)).toEqual([
      expect.stringMatching(/^Too many attempts/),
      expect.stringMatching(/^Too many attempts/),
    ]);
    expect(Number(both.headers.get("retry-after"))).toBeGreaterThan(0);
  });

  it("takes a read as a POST too", async () => {
    const staff = await signedInBrowser(await newOperator());
    expect((await staff.mutate("session.list", {})).status).toBe(200);
  });

  it("answers 413 past 1 MiB, 405 to other methods and 404 for what there is not", async () => {
    const staff = await signedInBrowser(await newOperator());
    const answer = await staff.mutate("session.end", { id: "x".repeat(1024 * 1024) });
    expect(answer.status).toBe(413);
    for (const method of ["PUT", "PATCH", "DELETE"]) {
      const other = await call(method, "/api/trpc/session.me", { headers: script() });
      expect([other.status, other.headers.get("allow")]).toEqual([405, "GET, POST"]);
    }
    expect((await staff.query("session.nothing")).status).toBe(404);
  });

  it("tells nothing of what failed on our side but the id under which the log has it", async () => {
    const staff = await signedInBrowser(await newOperator());
    const answer = await withoutColumn("operators", "password_hash", () => staff.query("session.me"));
    const id = answer.headers.get("svc-request-id");
    expect([answer.status, answer.json.error.message]).toEqual([500, `An internal error occurred. Request ID: ${id}`]);
    expect(answer.text).not.toMatch(/secret_detail|password_hash|stack|\.ts/);
  });
});

import { createHash } from "node:crypto";
import pino from "pino";
import { describe, expect, it } from "vitest";
import { context } from "@/server/context";
import { withoutColumn } from "../../fakes/missing-name";
import { ownDatabase } from "../own-database";
import { call } from "../service";
import { browser, newOperator, signedInBrowser } from "./browser";
import { cookieOf, errorsOf, fromOurPage, operate } from "./graphql-client";

// One of the tests takes a column away.
ownDatabase();

const PATH = "/api/graphql";
const SIGNED_OUT = ["UNAUTHENTICATED", "You’re signed out. Sign in again."];
const ANYTHING = "{ __typename }";

const staff = async () => signedInBrowser(await newOperator());
const get = (query: string, headers: Record<string, string>) =>
  call("GET", `${PATH}?${new URLSearchParams({ query })}`, { headers });

describe("the GraphQL route", () => {
  it("tells whoever is not signed in nothing, not even which fields there are", async () => {
    for (const query of [
      ANYTHING,
      "{ __schema { types { name } } }",
      "{ acounts }",
      "{ accounts { edges { cursor } } }",
      "}{",
    ]) {
      const answer = await operate(query);
      expect([answer.status, errorsOf(answer)]).toEqual([401, [SIGNED_OUT]]);
      expect(answer.json.data).toBeUndefined();
    }
  });

  it("is shut to other sites, cookie or not, and to what a form or a link can send", async () => {
    const cookie = cookieOf(await staff());
    const json = "application/json";
    const icalRecurrence: Record<string, string>[] = [
      { ...fromOurPage(), "sec-fetch-site": "cross-site" },
      { ...fromOurPage(), "sec-fetch-site": "same-site" },
      { origin: "https://evil.example", accept: json },
      { origin: "null", accept: json },
      { accept: json },
    ];
    for (const headers of icalRecurrence) {
      const answer = await call("POST", PATH, { json: { query: ANYTHING }, headers: { ...headers, cookie } });
      expect([answer.status, errorsOf(answer)[0]?.[0]]).toEqual([403, "FORBIDDEN"]);
    }
    for (const type of [
      "text/plain",
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=x",
      "application/graphql",
    ]) {
      const body = type.includes("form-url")
        ? new URLSearchParams({ query: ANYTHING }).toString()
        : JSON.stringify({ query: ANYTHING });
      const answer = await call("POST", PATH, { body, headers: { ...fromOurPage(), cookie, "content-type": type } });
      expect([answer.status, answer.json.data]).toEqual([415, undefined]);
    }
  });

  it("takes a query as a GET of our own pages, and of none that a link or an image could make", async () => {
    const cookie = cookieOf(await staff());
    const ours = { cookie, accept: "application/json" };
    expect((await get(ANYTHING, { ...ours, "sec-fetch-site": "same-origin" })).json).toEqual({
      data: { __typename: "Query" },
    });
    expect((await get(ANYTHING, { ...ours, "content-type": "application/json" })).status).toBe(200);
    for (const headers of [ours, { ...ours, "sec-fetch-site": "none" }, { ...ours, "sec-fetch-site": "cross-site" }]) {
      expect((await get(ANYTHING, headers)).status).toBe(403);
    }
  });

  it("can only be read", async () => {
    const from = await staff();
    for (const query of ["mutation { retry }", "subscription { deliveries }"]) {
      const answer = await operate(query, { from });
      expect([answer.json.data ?? null, errorsOf(answer)]).toEqual([null, [expect.anything()]]);
    }
    for (const method of ["PUT", "PATCH", "DELETE", "OPTIONS", "HEAD"]) {
      const answer = await call(method, PATH, { headers: fromOurPage() });
      expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, POST"]);
    }
  });

  it("shows the schema to whoever is signed in", async () => {
    const answer = await operate(
      "{ __schema { queryType { name } mutationType { name } subscriptionType { name } } }",
      {
        from: await staff(),
      },
    );
    expect(answer.json.data.__schema).toEqual({
      queryType: { name: "Query" },
      mutationType: null,
      subscriptionType: null,
    });
  });

  it("is never kept by a cache", async () => {
    for (const answer of [await operate(ANYTHING), await operate(ANYTHING, { from: await staff() })]) {
      expect(answer.headers.get("cache-control")).toBe("no-store");
      expect(answer.headers.get("access-control-allow-origin")).toBeNull();
    }
  });

  it("tells nothing of what failed on our side but the id under which the log has it", async () => {
    const from = await staff();
    const lines: string[] = [];
    context.log = pino({ base: null }, { write: (line) => lines.push(line) });
    const failing = '{ account(id: "acc_1") { id } }';
    const token = `at_${"x".repeat(43)}`;
    const answer = await withoutColumn("accounts", "default_tzid", async () => {
      const first = await operate(failing, { from });
      await operate(failing, { from, headers: { "svc-request-id": token } });
      return first;
    });
    context.log = undefined;
    const id = answer.headers.get("svc-request-id");
    expect([answer.status, errorsOf(answer)]).toEqual([
      200,
      [["INTERNAL_SERVER_ERROR", `An internal error occurred. Request ID: ${id}`]],
    ]);
    expect(answer.text).not.toMatch(/secret_detail|default_tzid|stack|\.ts\b/);
    expect(lines.filter((line) => line.includes(String(id)))).toHaveLength(1);
    expect(lines).toHaveLength(2);
    expect(lines.join()).not.toMatch(new RegExp(`secret_detail|${token}`));
  });
});

describe("an operation", () => {
  it("is refused when it is deeper than 8 fields, with fragments and without", async () => {
    const from = await staff();
    const deep = (fields: string) => `{ a: __type(name: "Query") { ${fields} } }`;
    const nested = (count: number) => `${"ofType { ".repeat(count)}name${" }".repeat(count)}`;
    expect((await operate(deep(nested(6)), { from })).json.errors).toBeUndefined();
    for (const query of [deep(nested(7)), `${deep("...More")} fragment More on __Type { ${nested(7)} }`]) {
      const answer = await operate(query, { from });
      expect(answer.json.data).toBeUndefined();
      expect(answer.text).toContain("depth");
    }
  });

  it("is refused when it has more than 15 aliases, or 1,000 tokens, or 64 KiB", async () => {
    const from = await staff();
    const aliases = (count: number) => Array.from({ length: count }, (_, index) => `a${index}: __typename`).join(" ");
    expect((await operate(`{ ${aliases(15)} }`, { from })).json.data.a14).toBe("Query");
    const many = await operate(`{ ${aliases(16)} }`, { from });
    expect([many.json.data, many.text]).toEqual([undefined, expect.stringContaining("Aliases")]);
    const long = await operate(`{ ${"__typename ".repeat(1_000)} }`, { from });
    expect([long.json.data, long.text]).toEqual([undefined, expect.stringContaining("tokens")]);
    const large = await operate(`{ __typename } # ${"x".repeat(64 * 1024)}`, { from });
    expect(large.status).toBe(413);
  });

  it("comes by itself: several in one request are refused", async () => {
    const cookie = cookieOf(await staff());
    const batch = [{ query: ANYTHING }, { query: ANYTHING }];
    const answer = await call("POST", PATH, { json: batch, headers: { ...fromOurPage(), cookie } });
    expect(answer.status).toBe(400);
    expect(answer.text).not.toContain("Query");
  });

  it("asks for 30 lists and things at most, however they are written", async () => {
    const from = await staff();
    const lists = "accounts { total { count } } channels { pageInfo { hasNextPage } } requests { total { count } }";
    const each = (name: string) => `${name}: application(id: "app_none") { ...Lists }`;
    const query = `{ ${Array.from({ length: 15 }, (_, index) => each(`a${index}`)).join(" ")} ...Roots } fragment Lists on Application { id }
      fragment Roots on Query { ${lists} deliveries { total { count } } }`;
    expect(errorsOf(await operate(query, { from })).every(([code]) => code === "NOT_FOUND")).toBe(true);
    const more = query.replace("...Roots", "...Roots ...Again").concat(` fragment Again on Query {
      application(id: "app_none") { id } account(id: "acc_none") { id } channel(id: "chn_none") { id } delivery(id: "whd_none") { id }
      request(id: "none") { id } applications { edges { cursor } } }`);
    expect(errorsOf(await operate(more, { from })).some(([code]) => code === "BAD_USER_INPUT")).toBe(false);
    const beyond = Array.from({ length: 15 }, (_, index) => `a${index}: deliveries(first: 1) { total { count } }`).join(
      " ",
    );
    expect(errorsOf(await operate(`{ ${beyond} channels { edges { cursor } } }`, { from }))).toEqual([
      ["BAD_USER_INPUT", "One operation may ask for 30 lists, counts and things by their id at most."],
    ]);
  });
});

describe("GraphiQL", () => {
  const asBrowser = {
    accept: "text/html,application/xhtml+xml",
    "sec-fetch-site": "none",
    "sec-fetch-dest": "document",
  };

  it("is for whoever is signed in; others are led to the sign-in page", async () => {
    const answer = await browser().get(PATH, asBrowser);
    expect([answer.status, answer.headers.get("location"), answer.text]).toEqual([
      303,
      "/dashboard/sign-in?from=%2Fapi%2Fgraphql",
      "",
    ]);
  });

  it("may run its own script, speak to this origin and be kept and framed by nobody", async () => {
    const from = await staff();
    const answer = await from.get(PATH, asBrowser);
    const policy = answer.headers.get("content-security-policy") ?? "";
    const nonce = /script-src 'nonce-([\w+/=]+)';/.exec(policy)?.[1];
    expect([answer.status, answer.headers.get("cache-control")]).toEqual([200, "no-store"]);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/https?:|\*|unsafe-eval|script-src[^;]*unsafe-inline/);
    expect(answer.text.match(/<script/g)).toHaveLength(1);
    expect(answer.text).toContain(`<script nonce="${nonce}" src="/api/graphql/`);
    const again = await from.get(PATH, asBrowser);
    expect(again.headers.get("content-security-policy")).not.toBe(policy);
  });

  it("is a small page: its style and script are kept by browsers under the digest of their content", async () => {
    const from = await staff();
    const page = await from.get(PATH, asBrowser);
    expect(page.text.length).toBeLessThan(4_096);
    const names = [...page.text.matchAll(/(?:href|src)="(\/api\/graphql\/[0-9a-f]{32}\.(?:css|js))"/g)].map(
      ([, name = ""]) => name,
    );
    expect(names.map((name) => name.split(".")[1])).toEqual(["css", "js"]);
    for (const name of names) {
      const file = await from.get(name);
      expect([file.status, file.headers.get("cache-control")]).toEqual([200, "private, max-age=31536000, immutable"]);
      expect(file.headers.get("content-type")).toMatch(/^text\/(css|javascript); charset=utf-8$/);
      const digest = createHash("sha256").update(file.text).digest("hex").slice(0, 32);
      expect(name).toContain(digest);
    }
  });

  it("gives its files to nobody who is signed out, and no other file to anybody", async () => {
    const from = await staff();
    const page = await from.get(PATH, asBrowser);
    const [name = ""] = /\/api\/graphql\/[0-9a-f]{32}\.js/.exec(page.text) ?? [];
    expect((await browser().get(name)).status).toBe(404);
    expect((await from.get(name.replace(/.{4}\.js$/, "0000.js"))).status).toBe(404);
    expect((await from.get(name)).status).toBe(200);
  });

  it("is the same page whatever query its address holds", async () => {
    const from = await staff();
    const attack = `${PATH}?${new URLSearchParams({ query: "</script><script>alert(1)</script>" })}`;
    const answer = await from.get(attack, { ...asBrowser, "sec-fetch-site": "cross-site" });
    expect(answer.text).not.toContain("alert(1)");
  });
});

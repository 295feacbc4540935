import { createRequire } from "node:module";
import { encode } from "next-auth/jwt";
import { beforeAll, describe, expect, it } from "vitest";
import { cookieName } from "@/server/auth/session-cookie";
import { db } from "@/server/db/client";
import { env } from "@/server/env";
import { graphqlContext } from "@/server/graphql/context";
import { schema } from "@/server/graphql/schema";
import { staffSecrets } from "@/server/http/staff/session-secrets";
import { staffApi } from "@/server/services/staff/api";
import type { ProcedureMeta } from "@/server/services/staff/procedure/trpc";
import { SMALL_PNG } from "../../fakes/small-png";
import { addDeliveries } from "../../fakes/stored-deliveries";
import { addNote } from "../../fakes/stored-notes";
import { applicationId } from "../grants";
import { ownDatabase } from "../own-database";
import { call, openCalendar } from "../service";
import { newOperator, PASSWORD, signedInBrowser } from "./browser";
import { cookieOf, fromOurPage, operate } from "./graphql-client";

// What is read is everybody's.
ownDatabase();

// The module that the schema is made of: Vite would bring another copy of it, which knows none of its types.
/** The key of an app at Entra. */
const ENTRA_KEY = {
  provider: "microsoft",
  tenant: "0aeb2b1e-7d4e-4a5c-9c5b-6a6a3c0d1e2f",
  clientId: "5f1c6f0a-3b7e-4a53-8d5f-0d3f5c1b2a9e",
  secret: "secret",
};
const { graphql, isObjectType }: typeof import("graphql") = createRequire(import.meta.url)("graphql");

interface World {
  /** The headers of each caller, beside those that a page of ours sends. */
  callers: Record<string, Record<string, string>>;
  /** A session of an operator who does not call. */
  session: string;
  account: string;
  application: string;
  channel: string;
  /** One that is pending by itself. */
  delivery: string;
  /** Of an operator who does not call. */
  note: string;
}

let world: World;

interface Row {
  input?: (world: World) => unknown;
  /** Of a member of the world's application. */
  developer: number;
  support: number;
  admin: number;
}

const id = (value: string) => () => ({ id: value });
const read: Row = { input: () => ({}), developer: 200, support: 200, admin: 200 };
const find = (input: object): Row => ({ input: () => input, developer: 404, support: 404, admin: 404 });
const ownerFinds = (input: object): Row => ({ input: () => input, developer: 404, support: 403, admin: 404 });
const adminFinds = (input: object): Row => ({ input: () => input, developer: 403, support: 403, admin: 404 });

/** Every procedure, what it is called with and the status of the answer; 404, 409 and 422 say that the caller was let in. Whoever else calls is refused. */
const procedures: Record<string, Row> = {
  "session.me": { developer: 200, support: 200, admin: 200 },
  "session.list": { input: () => ({}), developer: 200, support: 200, admin: 200 },
  "session.list (another's)": { input: () => ({ operatorId: "opr_none" }), developer: 403, support: 403, admin: 200 },
  "session.end": { input: id("ses_none"), developer: 404, support: 404, admin: 404 },
  "session.end (another's)": { input: ({ session }) => ({ id: session }), developer: 404, support: 404, admin: 200 },
  "session.endOthers": { developer: 200, support: 200, admin: 200 },
  "session.startSecondFactor": { input: () => ({ password: "no" }), developer: 422, support: 422, admin: 422 },
  "session.confirmSecondFactor": {
    input: () => ({ pending: "none", code: "000000" }),
    ...{ developer: 409, support: 409, admin: 409 },
  },
  "session.removeSecondFactor": { input: () => ({ password: "no" }), developer: 422, support: 422, admin: 422 },
  "session.changePassword": {
    input: () => ({ current: "no", next: "short" }),
    developer: 422,
    support: 422,
    admin: 422,
  },
  "operators.list": { developer: 403, support: 403, admin: 200 },
  "operators.create": {
    input: () => ({ email: "no", name: "Ada", role: "admin" }),
    developer: 403,
    support: 403,
    admin: 422,
  },
  "operators.setRole": adminFinds({ id: "opr_none", role: "support" }),
  "operators.disable": adminFinds({ id: "opr_none" }),
  "operators.enable": adminFinds({ id: "opr_none" }),
  "operators.resetPassword": adminFinds({ id: "opr_none" }),
  "operators.resetSecondFactor": adminFinds({ id: "opr_none" }),
  "invitations.list": { input: () => ({}), developer: 403, support: 403, admin: 200 },
  "invitations.create": adminFinds({ email: "lin@acme.io", applications: ["app_none"] }),
  "invitations.revoke": adminFinds({ id: "inv_none" }),
  "members.list": find({ application: "app_none" }),
  "members.add": adminFinds({ operatorId: "opr_none", applicationId: "app_none" }),
  "members.remove": adminFinds({ operatorId: "opr_none", applicationId: "app_none" }),
  "audit.list": { input: () => ({}), developer: 403, support: 403, admin: 200 },
  "overview.show": { developer: 200, support: 200, admin: 200 },
  "maintenance.show": { developer: 403, support: 200, admin: 200 },
  "maintenance.start": adminFinds({ application: "app_none" }),
  "maintenance.end": { input: () => ({}), developer: 403, support: 403, admin: 409 },
  "providers.show": { developer: 403, support: 200, admin: 200 },
  "applications.names": { developer: 200, support: 200, admin: 200 },
  "applications.list": { developer: 200, support: 200, admin: 200 },
  "applications.get": find({ id: "app_none" }),
  "applications.head": find({ id: "app_none" }),
  "applications.create": { input: () => ({ name: "" }), developer: 403, support: 403, admin: 422 },
  "applications.update": adminFinds({ id: "app_none", name: "Mine" }),
  "applications.addRedirectUri": ownerFinds({ id: "app_none", uri: "https://app.acme.io/cb" }),
  "applications.removeRedirectUri": ownerFinds({ id: "app_none", uri: "https://app.acme.io/cb" }),
  "applications.addCaldavServer": adminFinds({ id: "app_none", name: "Acme", url: "https://dav.acme.io/" }),
  "applications.removeCaldavServer": adminFinds({ id: "app_none", serverId: "cds_none" }),
  "applications.setOauthClient": adminFinds({
    ...{ id: "app_none", provider: "google", clientId: "client", clientSecret: "secret" },
  }),
  "applications.removeOauthClient": adminFinds({ id: "app_none", provider: "google" }),
  "organizations.list": find({ id: "app_none" }),
  "organizations.add": adminFinds({ id: "app_none", ...ENTRA_KEY, domains: ["acme.io"] }),
  "organizations.setReach": adminFinds({ delegationId: "dlg_none", domains: ["acme.io"] }),
  "organizations.replaceKey": adminFinds({ delegationId: "dlg_none", ...ENTRA_KEY }),
  "organizations.verify": adminFinds({ delegationId: "dlg_none", email: "ada@acme.io" }),
  "organizations.remove": adminFinds({ delegationId: "dlg_none" }),
  "applications.addSecret": ownerFinds({ id: "app_none", password: PASSWORD }),
  "applications.retireSecret": ownerFinds({ id: "app_none", secretId: "sec_none" }),
  "applications.branding": find({ id: "app_none" }),
  "applications.setBranding": ownerFinds({ id: "app_none", accent: "", supportUrl: "", privacyUrl: "" }),
  "applications.setLogo": ownerFinds({ id: "app_none", png: SMALL_PNG }),
  "applications.removeLogo": ownerFinds({ id: "app_none" }),
  "applications.disable": adminFinds({ id: "app_none" }),
  "applications.enable": adminFinds({ id: "app_none" }),
  "applications.delete": adminFinds({ id: "app_none", name: "Mine" }),
  "alerts.ofStaff": { developer: 403, support: 200, admin: 200 },
  "alerts.setOfStaff": {
    input: () => ({ emails: [], webhookUrl: "ftp://x", rules: [] }),
    ...{ developer: 403, support: 403, admin: 422 },
  },
  "alerts.testOfStaff": { developer: 403, support: 403, admin: 200 },
  "alerts.ofApplication": find({ id: "app_none" }),
  "alerts.setOfApplication": ownerFinds({ id: "app_none", webhookUrl: "", rules: [] }),
  "alerts.testOfApplication": ownerFinds({ id: "app_none" }),
  "accounts.list": read,
  "accounts.count": read,
  "accounts.get": find({ id: "acc_none" }),
  "accounts.head": find({ id: "acc_none" }),
  "accounts.notes.list": find({ accountId: "acc_none" }),
  "accounts.notes.add": find({ accountId: "acc_none", text: "Called back." }),
  "accounts.notes.delete": find({ id: "nte_none" }),
  "accounts.notes.delete (another's)": {
    input: ({ note }) => ({ id: note }),
    ...{ developer: 403, support: 403, admin: 200 },
  },
  "accounts.timeline": find({ id: "acc_none" }),
  "accounts.calendars": find({ id: "acc_none" }),
  "accounts.day": find({ calendarId: "cal_none" }),
  "accounts.showTexts": adminFinds({ calendarId: "cal_none" }),
  "events.get": find({ id: "evt_none" }),
  "events.showTexts": adminFinds({ id: "evt_none" }),
  "accounts.retryWrite": find({ id: "999999999999" }),
  "accounts.syncNow": find({ profileId: "pro_none" }),
  "accounts.endFeed": find({ id: "fed_none" }),
  "accounts.revoke": adminFinds({ id: "acc_none" }),
  "requests.list": read,
  "requests.count": read,
  "requests.get": find({ id: "none" }),
  "requests.errors": read,
  "requests.traffic": read,
  "requests.pulse": read,
  "requests.notStored": read,
  "deliveries.list": read,
  "deliveries.count": read,
  "deliveries.get": find({ id: "whd_none" }),
  "deliveries.chart": read,
  "deliveries.pulse": read,
  "deliveries.progress": find({ id: "whd_none" }),
  "deliveries.absence": read,
  "deliveries.trouble": read,
  "deliveries.retry": find({ id: "whd_none" }),
  "deliveries.cancel": find({ id: "whd_none" }),
  "deliveries.cancel (nobody asked for it)": {
    input: ({ delivery }) => ({ id: delivery }),
    developer: 403,
    support: 403,
    admin: 200,
  },
  "deliveries.replays.preview": read,
  "deliveries.replays.start": {
    input: () => ({ filters: { application: "app_none" }, count: 1 }),
    developer: 404,
    support: 409,
    admin: 409,
  },
  "deliveries.replays.list": { developer: 200, support: 200, admin: 200 },
  "deliveries.replays.get": find({ id: "rpl_none" }),
  "deliveries.replays.cancel": find({ id: "rpl_none" }),
  "endpoints.list": read,
  "endpoints.count": read,
  "endpoints.get": find({ id: "chn_none" }),
  "search.find": { input: () => ({ q: "acme" }), developer: 200, support: 200, admin: 200 },
  "search.applications": { input: () => ({ q: "acme" }), developer: 200, support: 200, admin: 200 },
  "views.list": { developer: 200, support: 200, admin: 200 },
  "views.create": {
    input: () => ({ list: "requests", name: "Failed", query: "statusClass=5xx" }),
    ...{ developer: 200, support: 200, admin: 200 },
  },
  "views.update": find({ id: "svw_none", name: "Failed" }),
  "views.delete": find({ id: "svw_none" }),
  "channels.list": read,
  "channels.health": find({ id: "chn_none" }),
  "channels.test": find({ id: "chn_none" }),
  "channels.pause": find({ id: "chn_none" }),
  "channels.resume": find({ id: "chn_none" }),
  "channels.close": find({ id: "chn_none" }),
};

const page = "{ edges { cursor node { id } } pageInfo { endCursor } }";
const below = (thing: "account" | "application" | "channel", field: string) => (all: World) =>
  `{ ${thing}(id: "${all[thing]}") { ${field} ${page} } }`;
const finds = (thing: string) => () => `{ ${thing}(id: "none") { id } }`;

/** Every field that is resolved by a call, as an operation: each role gets what the procedure gives it, whoever else is refused. */
const fields: Record<string, (world: World) => string> = {
  "Query.account": ({ account }) => `{ account(id: "${account}") { id } }`,
  "Query.accounts": () => `{ accounts ${page} }`,
  "Query.application": ({ application }) => `{ application(id: "${application}") { id } }`,
  "Query.applications": () => `{ applications ${page} }`,
  "Query.channel": ({ channel }) => `{ channel(id: "${channel}") { id } }`,
  "Query.channels": () => `{ channels ${page} }`,
  "Query.deliveries": () => `{ deliveries ${page} }`,
  "Query.delivery": finds("delivery"),
  "Query.request": finds("request"),
  "Query.requests": () => `{ requests ${page} }`,
  "Account.calendars": below("account", "calendars"),
  "Account.channels": below("account", "channels"),
  "Account.deliveries": below("account", "deliveries"),
  "Account.profiles": below("account", "profiles"),
  "Account.requests": below("account", "requests"),
  "Application.accounts": below("application", "accounts"),
  "Application.channels": below("application", "channels"),
  "Application.deliveries": below("application", "deliveries"),
  "Application.requests": below("application", "requests"),
  "Channel.deliveries": below("channel", "deliveries"),
};

/** The dashboard's routes that are no pages; those are walked by tests/e2e/role-matrix.spec.ts. */
const routes: Record<string, Record<"developer" | "support" | "admin" | "signedOut" | "crossSite", number>> = {
  "/dashboard/sign-in": { developer: 303, support: 303, admin: 303, signedOut: 200, crossSite: 303 },
  "/dashboard/sign-in/verify": { developer: 303, support: 303, admin: 303, signedOut: 303, crossSite: 303 },
  "/dashboard/invitation": { developer: 404, support: 404, admin: 404, signedOut: 404, crossSite: 404 },
  "/dashboard/deliveries/export": { developer: 200, support: 200, admin: 200, signedOut: 401, crossSite: 403 },
  "/dashboard/settings/audit/export": { developer: 403, support: 403, admin: 200, signedOut: 401, crossSite: 403 },
  "/dashboard/operators/[[...rest]]": { developer: 308, support: 308, admin: 308, signedOut: 308, crossSite: 308 },
  "/dashboard/requests/export": { developer: 200, support: 200, admin: 200, signedOut: 401, crossSite: 403 },
  // Short addresses say nothing of what they name: each leads to a list, which lets in whom it does.
  ...Object.fromEntries(
    ["deliveries", "requests", "settings/team"].map((list) => [
      `/dashboard/${list}/[id]`,
      { developer: 307, support: 307, admin: 307, signedOut: 307, crossSite: 307 },
    ]),
  ),
  // None is named.
  "/api/branding": { developer: 422, support: 422, admin: 422, signedOut: 401, crossSite: 403 },
};

/** The routes beside pages: those with procedures and fields are above, and each of the others has tests of its own. */
const covered = [
  "/api/auth/[...nextauth]",
  "/api/auth/invitation",
  "/api/auth/second-step",
  "/api/docs/visit",
  "/api/graphql",
  "/api/graphql/[file]",
  "/api/inngest",
  "/api/trpc/[trpc]",
];

type Route = (request: Request, context: { params: Promise<object> }) => Promise<Response>;

const CROSS_SITE = "an admin's browser, from another site";

beforeAll(async () => {
  const opened = await openCalendar();
  const application = await applicationId(opened.application);
  const [developer, support, admin, another, ended] = await Promise.all([
    signedInBrowser(await newOperator({ role: "developer", applications: [application] })),
    signedInBrowser(await newOperator({ role: "support" })),
    signedInBrowser(await newOperator({ role: "admin" })),
    signedInBrowser(await newOperator({ role: "support" })),
    signedInBrowser(await newOperator({ role: "admin" })),
  ]);
  await ended.mutate("session.end", { id: ended.sessionId });

  const { channel } = (await opened.post("/v1/channels", { callback_url: "https://hooks.acme.io/x" })).json;
  const nextAttemptAt = new Date(Date.now() + 86_400_000);
  const [pending = ""] = await addDeliveries(channel.channel_id, [{ nextAttemptAt }]);
  const [secret = ""] = staffSecrets();
  const sealed = async (sessionId: string, by = secret) => ({
    cookie: `${cookieName("session")}=${await encode({ token: { sessionId }, secret: by })}`,
  });
  const claim = Buffer.from(JSON.stringify({ sessionId: admin.sessionId })).toString("base64url");
  const unsigned = `${Buffer.from('{"alg":"none"}').toString("base64url")}.${claim}.`;
  world = {
    session: another.sessionId,
    account: opened.accountId,
    application,
    channel: channel.channel_id,
    delivery: pending,
    note: await addNote(opened.accountId),
    callers: {
      developer: { cookie: cookieOf(developer) },
      support: { cookie: cookieOf(support) },
      admin: { cookie: cookieOf(admin) },
      nobody: {},
      "nobody, past a middleware": {
        "x-middleware-subrequest": "middleware:middleware:middleware:middleware:middleware",
        "x-middleware-next": "1",
      },
      "nobody, as the front door": {
        "x-almanac-request-id": "req_1",
        "x-almanac-address": "127.0.0.1",
        "x-almanac-path": "/dashboard/sign-in",
        "x-almanac-operator": admin.sessionId,
      },
      "nobody, from this machine": {
        "x-forwarded-for": "127.0.0.1",
        "x-real-ip": "127.0.0.1",
        forwarded: "for=127.0.0.1",
      },
      "an application with its token": { authorization: `Bearer ${opened.accessToken}` },
      "an admin's session as a bearer": { authorization: `Bearer ${admin.sessionId}` },
      "an admin's session, sealed with another secret": await sealed(admin.sessionId, "another secret"),
      "an admin's session, unsealed": { cookie: `${cookieName("session")}=${unsigned}` },
      "a session that has ended": { cookie: cookieOf(ended) },
      "a session that never was": await sealed(`ses_${"0".repeat(24)}`),
      [CROSS_SITE]: { cookie: cookieOf(admin), origin: "https://evil.example", "sec-fetch-site": "cross-site" },
    },
  };
});

/** What is expected of every caller. */
function whole({ developer, support, admin }: Omit<Row, "input">, { signedOut = 401, crossSite = 403 } = {}) {
  const others = Object.keys(world.callers).filter((name) => !["developer", "support", "admin"].includes(name));
  return {
    developer,
    support,
    admin,
    ...Object.fromEntries(others.map((name) => [name, name === CROSS_SITE ? crossSite : signedOut])),
  };
}

async function asEach(ask: (headers: Record<string, string>) => Promise<number>): Promise<Record<string, number>> {
  const asked = Object.entries(world.callers).map(async ([name, headers]) => [name, await ask(headers)] as const);
  return Object.fromEntries(await Promise.all(asked));
}

const known = staffApi._def.procedures as unknown as Record<string, { _def: { type: string; meta?: ProcedureMeta } }>;

describe("procedures of the dashboard", () => {
  it("are all in this table", () => {
    const listed = new Set(Object.keys(procedures).map((name) => name.split(" ")[0]));
    expect([...listed].sort()).toEqual(Object.keys(known).sort());
  });

  it("say whom they are for, and this table says the same", () => {
    const declaredElsewhere: Record<string, Partial<Row>> = {
      "accounts.notes.delete (another's)": { developer: 200, support: 200 },
      "deliveries.cancel (nobody asked for it)": { developer: 200, support: 200 },
    };
    const audienceOf = ({ developer, support }: Row) => {
      if (developer === 403) return support === 403 ? "admins" : "staff";
      return support === 403 ? "owners" : "everybody";
    };
    const audiences = Object.entries(procedures).map(([name, row]) => [
      name,
      /^(session|views)\./.test(name) ? "oneself" : audienceOf({ ...row, ...declaredElsewhere[name] }),
    ]);
    const declared = Object.keys(procedures).map((name) => [name, known[name.split(" ")[0] ?? ""]?._def.meta?.for]);
    expect(Object.fromEntries(declared)).toEqual(Object.fromEntries(audiences));
  });

  for (const [name, row] of Object.entries(procedures)) {
    it(`${name}: developer ${row.developer}, support ${row.support}, admin ${row.admin}, whoever else 401, another site 403`, async () => {
      const [procedure = ""] = name.split(" ");
      const input = row.input?.(world);
      const isQuery = known[procedure]?._def.type === "query";
      const search = isQuery && input !== undefined ? `?input=${encodeURIComponent(JSON.stringify(input))}` : "";
      const answers = await asEach(async (headers) => {
        const sent = { headers: { ...fromOurPage(), "x-trpc-source": "dashboard", ...headers } };
        const path = `/api/trpc/${procedure}${search}`;
        return (await (isQuery ? call("GET", path, sent) : call("POST", path, { json: input ?? {}, ...sent }))).status;
      });
      expect(answers).toEqual(whole(row));
    });
  }
});

describe("fields of GraphQL", () => {
  it("are all in this table", () => {
    const types = Object.values(schema.getTypeMap()).filter(
      (type) => isObjectType(type) && !type.name.startsWith("__"),
    );
    const called = types.flatMap((type) =>
      Object.values(isObjectType(type) ? type.getFields() : {})
        .filter(({ args }) => type.name === "Query" || args.length > 0)
        .map(({ name }) => `${type.name}.${name}`),
    );
    expect(called.sort()).toEqual(Object.keys(fields).sort());
  });

  for (const [name, query] of Object.entries(fields)) {
    it(`${name}: developer 200, support 200, admin 200, whoever else 401, another site 403`, async () => {
      const answers = await asEach(async (headers) => {
        const { status, json } = await operate(query(world), { headers });
        const codes = (json.errors ?? []).map((error: { extensions: { code: string } }) => error.extensions.code);
        expect(codes).toEqual(
          status === 200
            ? codes.filter((code: string) => code === "NOT_FOUND")
            : [expect.stringMatching(/^UNAUTHENTICATED$|^FORBIDDEN$/)],
        );
        expect(status === 200 || json.data === undefined).toBe(true);
        return status;
      });
      expect(answers).toEqual(whole({ developer: 200, support: 200, admin: 200 }));
    });

    it(`${name} is refused by what it calls too, even if the route let it in`, async () => {
      const nobody = { db: db(), now: Date.now(), operator: null, address: null, requestId: "req_1" };
      const { data, errors } = await graphql({
        schema,
        source: query(world),
        contextValue: graphqlContext({ staff: nobody, loggedId: "req_1", note: () => {} }),
      });
      expect(Object.values(data ?? {})).toEqual([null]);
      expect(errors?.map(({ extensions }) => extensions.code)).toEqual(["UNAUTHENTICATED"]);
    });
  }
});

describe("routes of the dashboard", () => {
  const modules = import.meta.glob<{ GET?: Route }>(
    ["/app/dashboard/**/route.{ts,tsx}", "/app/api/**/route.{ts,tsx}"],
    {
      eager: true,
    },
  );
  const found = new Map(Object.entries(modules).map(([file, module]) => [pathOf(file), module]));

  it("are all in this table, and so are the routes with procedures", () => {
    expect([...found.keys()].sort()).toEqual([...Object.keys(routes), ...covered].sort());
  });

  for (const [path, expected] of Object.entries(routes)) {
    const { developer, support, admin, signedOut, crossSite } = expected;
    it(`${path}: developer ${developer}, support ${support}, admin ${admin}, whoever else ${signedOut}, another site ${crossSite}`, async () => {
      const answers = await asEach(async (headers) => {
        const request = new Request(env().APP_URL + path, { headers: { "sec-fetch-site": "same-origin", ...headers } });
        const answer = await found.get(path)?.GET?.(request, { params: Promise.resolve({}) });
        return answer?.status ?? 0;
      });
      expect(answers).toEqual(whole(expected, expected));
    });
  }

  for (const list of ["/dashboard/deliveries", "/dashboard/requests", "/dashboard/settings/audit"]) {
    const ask = async (headers: Record<string, string>) => {
      const request = new Request(`${env().APP_URL}${list}/export?application=app_1`, { headers });
      return (await found.get(`${list}/export`)?.GET?.(request, { params: Promise.resolve({}) })) ?? Response.error();
    };

    it(`${list}/export leads a browser that is signed out to the sign-in page, and from there to the list`, async () => {
      const answer = await ask({ "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" });
      const location = answer.headers.get("location");
      expect([answer.status, location]).toEqual([
        303,
        `/dashboard/sign-in?${new URLSearchParams({ from: `${list}?application=app_1` })}`,
      ]);
    });

    it(`${list}/export tells a script or a download that is signed out so`, async () => {
      const answer = await ask({ "sec-fetch-mode": "navigate", "sec-fetch-dest": "empty" });
      expect([answer.status, answer.headers.has("www-authenticate")]).toEqual([401, true]);
      expect(await answer.text()).toMatch(/^You’re signed out\. /);
    });
  }
});

function pathOf(file: string): string {
  return file.replace(/^\/app|\/route\.tsx?$|\/\([^)]*\)/g, "");
}

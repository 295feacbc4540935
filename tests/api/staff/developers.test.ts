import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/server/db/client";
import { processServices } from "@/server/http/process-services";
import { staffApi } from "@/server/services/staff/api";
import { workReplays } from "@/server/services/staff/deliveries/replays/work";
import type { Overview } from "@/server/services/staff/overview/shapes";
import type { ProcedureMeta } from "@/server/services/staff/procedure/trpc";
import { SMALL_PNG } from "../../fakes/small-png";
import { auditTrail } from "../../fakes/stored-operators";
import { ownDatabase } from "../own-database";
import { storedRows } from "../stored-rows";
import { PASSWORD } from "./browser";
import { type Owned, oneApplication } from "./one-application";
import { newOperator, type Operator } from "./staff-caller";

ownDatabase();

/** Procedures that name a thing, and how. */
const ofOne: Record<string, (owned: Owned) => object> = {
  "applications.get": ({ application }) => ({ id: application }),
  "applications.head": ({ application }) => ({ id: application }),
  "applications.addRedirectUri": ({ application }) => ({ id: application, uri: "https://app.acme.io/other" }),
  "applications.removeRedirectUri": ({ application }) => ({ id: application, uri: "https://app.acme.io/callback" }),
  "applications.addSecret": ({ application }) => ({ id: application, password: PASSWORD }),
  "applications.retireSecret": ({ application }) => ({ id: application, secretId: "sec_0" }),
  "members.list": ({ application }) => ({ application }),
  "requests.get": ({ request }) => ({ id: request }),
  "applications.branding": ({ application }) => ({ id: application }),
  "applications.setBranding": ({ application }) => ({
    ...{ id: application, accent: "#1a73e8", supportUrl: "https://acme.io/help", privacyUrl: "" },
  }),
  "applications.setLogo": ({ application }) => ({ id: application, png: SMALL_PNG }),
  "applications.removeLogo": ({ application }) => ({ id: application }),
  "organizations.list": ({ application }) => ({ id: application }),
  "alerts.ofApplication": ({ application }) => ({ id: application }),
  "alerts.setOfApplication": ({ application }) => ({
    ...{ id: application, webhookUrl: "https://hooks.acme.io/alerts", rules: [] },
  }),
  "alerts.testOfApplication": ({ application }) => ({ id: application }),
  "accounts.get": ({ account }) => ({ id: account }),
  "accounts.head": ({ account }) => ({ id: account }),
  "accounts.notes.list": ({ account }) => ({ accountId: account }),
  "accounts.notes.add": ({ account }) => ({ accountId: account, text: "Called back." }),
  "accounts.notes.delete": ({ note }) => ({ id: note }),
  "accounts.timeline": ({ account }) => ({ id: account }),
  "accounts.calendars": ({ account }) => ({ id: account }),
  "accounts.day": ({ calendar }) => ({ calendarId: calendar }),
  "events.get": ({ event }) => ({ id: event }),
  "accounts.retryWrite": ({ write }) => ({ id: write }),
  "accounts.syncNow": ({ profile }) => ({ profileId: profile }),
  "accounts.endFeed": ({ feed }) => ({ id: feed }),
  "deliveries.get": ({ delivery }) => ({ id: delivery }),
  "deliveries.progress": ({ delivery }) => ({ id: delivery }),
  "deliveries.retry": ({ delivery }) => ({ id: delivery }),
  "deliveries.cancel": ({ delivery }) => ({ id: delivery, requested: true }),
  "deliveries.replays.start": ({ application }) => ({ filters: { application }, count: 1 }),
  "deliveries.replays.get": ({ replay }) => ({ id: replay }),
  "deliveries.replays.cancel": ({ replay }) => ({ id: replay }),
  "channels.health": ({ channel }) => ({ id: channel }),
  "channels.test": ({ channel }) => ({ id: channel }),
  "channels.pause": ({ channel }) => ({ id: channel }),
  "channels.resume": ({ channel }) => ({ id: channel }),
  "endpoints.get": ({ channel }) => ({ id: channel }),
  "channels.close": ({ channel }) => ({ id: channel }),
};

/** Procedures that look for things, with everything by which they can be narrowed to those of an application. */
const ofMany: Record<string, ((owned: Owned) => object)[]> = {
  "applications.names": [],
  "applications.list": [],
  "accounts.list": [({ application }) => ({ application }), ...searches()],
  "accounts.count": [({ application }) => ({ application }), ...searches()],
  "requests.list": requestSearches(),
  "requests.count": requestSearches(),
  "requests.pulse": requestSearches(),
  "requests.errors": [({ application }) => ({ application })],
  "requests.traffic": [({ application }) => ({ application })],
  "requests.notStored": [({ application }) => ({ application })],
  "deliveries.list": deliverySearches(),
  "deliveries.count": deliverySearches(),
  "deliveries.chart": deliverySearches(),
  "deliveries.replays.preview": deliverySearches(),
  "deliveries.pulse": [...deliverySearches(), ({ channel, delivery }) => ({ channel, open: delivery })],
  "deliveries.replays.list": [],
  "endpoints.list": [...endpointSearches(), ({ application }) => ({ application, sort: "failures" })],
  "endpoints.count": endpointSearches(),
  "overview.show": [],
  "search.find": [
    ...(["application", "account", "profile", "calendar", "event", "channel", "delivery", "request"] as const).map(
      (name) => (owned: Owned) => ({ q: owned[name] }),
    ),
    ...(["eventId", "email", "host", "requestId"] as const).map((name) => (owned: Owned) => ({ q: owned[name] })),
  ],
  "search.applications": [({ client }) => ({ q: client.clientId })],
  "channels.list": [({ application }) => ({ application }), ({ account }) => ({ account })],
};

function searches(): ((owned: Owned) => object)[] {
  const named = ["application", "account", "profile", "calendar", "channel", "email", "host", "delivery"] as const;
  return named.map((name) => (owned: Owned) => ({ q: owned[name] }));
}

function requestSearches(): ((owned: Owned) => object)[] {
  const named = ["application", "account", "request", "requestId", "profile", "delivery", "email", "host"] as const;
  return [
    ({ application }) => ({ application }),
    ({ account }) => ({ account }),
    ({ email }) => ({ account: email }),
    ({ application }) => ({ application, statusClass: ["4xx"], errorKey: "errors.required" }),
    ...named.map((name) => (owned: Owned) => ({ id: owned[name] })),
  ];
}

function deliverySearches(): ((owned: Owned) => object)[] {
  const typed = ["application", "account", "profile", "calendar", "email", "channel", "host", "delivery"] as const;
  return [
    ({ application }) => ({ application }),
    ({ account }) => ({ account }),
    ({ email }) => ({ account: email }),
    ({ channel }) => ({ channel }),
    ({ host }) => ({ host }),
    ({ delivery }) => ({ id: delivery }),
    ({ application }) => ({ application, state: ["failed"], errorClass: ["dns"] }),
    ...typed.map((name) => (owned: Owned) => ({ q: owned[name] })),
  ];
}

function endpointSearches(): ((owned: Owned) => object)[] {
  const typed = ["application", "account", "profile", "calendar", "email", "channel", "host", "delivery"] as const;
  return [
    ({ application }) => ({ application }),
    ({ account }) => ({ account }),
    ...typed.map((name) => (owned: Owned) => ({ q: owned[name] })),
  ];
}

/** What is looked for and not found is explained: as of what there is not, beside it. */
const explained: [(owned: Owned) => object, object][] = [
  [({ application }) => ({ application }), { application: "app_none" }],
  [({ account }) => ({ account }), { account: "acc_none" }],
  [({ email }) => ({ account: email }), { account: "nobody@acme.io" }],
  [({ channel }) => ({ channel }), { channel: "chn_none" }],
  [({ host }) => ({ host }), { host: "none.acme.io" }],
  [({ delivery }) => ({ id: delivery }), { id: "whd_none" }],
  [({ email }) => ({ q: email }), { q: "nobody@acme.io" }],
  [({ host }) => ({ q: host }), { q: "none.acme.io" }],
  [({ account }) => ({ q: account }), { q: "acc_none" }],
];

const known = staffApi._def.procedures as unknown as Record<string, { _def: { meta?: ProcedureMeta } }>;
let ours: Owned;
let theirs: Owned;
let another: Owned;
let developer: Operator;
let admin: Operator;

beforeAll(async () => {
  ours = await oneApplication();
  theirs = await oneApplication();
  another = await oneApplication();
  developer = await newOperator("developer", "Lin", [ours.application]);
  await db().prisma.accountNote.update({ where: { id: ours.note }, data: { operatorId: developer.id } });
  admin = await newOperator("admin");
});

/** What a procedure gives, or the kind of its refusal; what fails otherwise is thrown. */
async function call({ api }: Operator, name: string, input?: object): Promise<unknown> {
  // Each router of the caller has procedures or routers by their names.
  const procedure = name.split(".").reduce((at: unknown, part) => (at as Record<string, unknown>)[part], api);
  return await (procedure as (input?: object) => Promise<unknown>)(input).catch(
    (error: { cause?: { reason?: { kind: string } } }) => {
      const kind = error.cause?.reason?.kind;
      if (kind === undefined) throw error;
      return kind;
    },
  );
}

/** The ids of an application and all that belongs to it which stand in a result. */
function shownOf({ client: _, ...owned }: Owned, result: unknown): string[] {
  const text = JSON.stringify(result ?? null);
  return Object.values(owned).filter((value) => text.includes(`"${value}"`));
}

/** They say why deliveries are missing. */
const explaining = ["deliveries.absence", "deliveries.trouble"];

describe("a developer", () => {
  it("is considered by every procedure that is open to them", () => {
    const open = Object.keys(known).filter((name) =>
      ["everybody", "owners"].includes(known[name]?._def.meta?.for ?? ""),
    );
    expect([...Object.keys(ofOne), ...Object.keys(ofMany), ...explaining].sort()).toEqual(open.sort());
  });

  it.each(Object.entries(ofOne))(
    "finds nothing of other applications with %s, and changes nothing",
    async (name, input) => {
      const before = await storedRows(theirs.client);
      expect(await call(developer, name, input(theirs))).toBe("not_found");
      expect(await storedRows(theirs.client)).toEqual(before);
      const audited = await Promise.all(Object.values(theirs).map((id) => auditTrail(String(id))));
      expect(audited.flat()).toEqual([]);
    },
  );

  it.each(Object.entries(ofMany))("finds nothing of other applications with %s", async (name, inputs) => {
    const all = await call(admin, name, {});
    const own = await call(developer, name, {});
    expect(shownOf(theirs, own)).toEqual([]);
    expect(shownOf(ours, own)).toEqual(expect.arrayContaining(shownOf(ours, all)));
    const empty = await call(await newOperator("developer", "Kim", []), name, {});
    expect([...shownOf(ours, empty), ...shownOf(theirs, empty)]).toEqual([]);
    const none = JSON.stringify(empty);
    for (const input of inputs) {
      const found = JSON.stringify(await call(developer, name, input(theirs)));
      expect([input(theirs), found]).toEqual([input(theirs), none]);
      expect(JSON.stringify(await call(developer, name, input(ours)))).toBe(
        JSON.stringify(await call(admin, name, input(ours))),
      );
      expect(JSON.stringify(await call(developer, name, input(ours)))).not.toBe(none);
    }
  });

  it.each(Object.keys(ofMany))("of two applications sees both with %s, and no other", async (name) => {
    const both = await newOperator("developer", "Noor", [ours.application, another.application]);
    const all = await call(admin, name, {});
    const own = await call(both, name, {});
    expect([shownOf(ours, own), shownOf(another, own), shownOf(theirs, own)]).toEqual([
      expect.arrayContaining(shownOf(ours, all)),
      expect.arrayContaining(shownOf(another, all)),
      [],
    ]);
  });

  it.each(explained)("is told nothing of other applications where no delivery matches: %s", async (input, missing) => {
    for (const name of explaining) {
      expect(await call(developer, name, input(theirs))).toEqual(await call(developer, name, missing));
      expect(await call(developer, name, input(ours))).toEqual(await call(admin, name, input(ours)));
    }
  });

  it("has an overview of their applications' figures, and none of the work behind them", async () => {
    await processServices().requestLog.flush(10_000);
    const [counted] = await db().query<{ n: number }>(
      "SELECT sum(requests)::int AS n FROM request_counts WHERE application_id = $1",
      [ours.application],
    );
    const shown = (await call(developer, "overview.show")) as Overview;
    expect(shown.background).toBeNull();
    expect(shown.requestsPerMinute.reduce((sum, { count }) => sum + count, 0)).toBe(counted?.n);
    expect(shown.throttledApplications).toEqual([{ id: ours.application, name: expect.any(String), count: 1 }]);
    expect(shown.failingEndpoints).toMatchObject({ count: 1, items: [{ channelId: ours.channel }] });
    expect(shown.deliveries.failed).toBeLessThanOrEqual(1);
    const nothing = (await call(await newOperator("developer", "Kim", []), "overview.show")) as Overview;
    expect(nothing).toMatchObject({ errorRate: 0, throttledApplications: [], background: null });
    expect([nothing.failingEndpoints.count, nothing.deliveries.failed, nothing.mailboxes.groups]).toEqual([0, 0, 0]);
  });

  it("of several applications retries those of one at a time", async () => {
    const both = await newOperator("developer", "Noor", [ours.application, another.application]);
    expect(await call(both, "deliveries.replays.start", { filters: { state: ["failed"] }, count: 2 })).toBe("invalid");
  });

  it("of one application retries its deliveries alone, whatever is asked for", async () => {
    const before = await storedRows(theirs.client);
    const own = await newOperator("developer", "Kim", [another.application]);
    const started = await call(own, "deliveries.replays.start", { filters: { type: ["change"] }, count: 1 });
    expect(started).toMatchObject({ filters: { application: another.application }, total: 1 });
    await workReplays(db());
    expect(await storedRows(theirs.client)).toEqual(before);
  });

  it.each(Object.entries(ofOne))("has their own with %s", async (name, input) => {
    const withoutPassword = name === "applications.addSecret" || name === "applications.retireSecret";
    const result = await call(developer, name, input(ours));
    expect(result === "not_found").toBe(name === "applications.retireSecret");
    expect(["forbidden", "invalid"]).not.toContain(withoutPassword ? null : result);
  });
});

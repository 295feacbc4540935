import { beforeAll, describe, expect, it } from "vitest";
import { staffApi } from "@/server/services/staff/api";
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
  "alerts.ofApplication": ({ application }) => ({ id: application }),
  "alerts.setOfApplication": ({ application }) => ({
    ...{ id: application, webhookUrl: "https://hooks.acme.io/alerts", rules: [] },
  }),
  "alerts.testOfApplication": ({ application }) => ({ id: application }),
  "accounts.get": ({ account }) => ({ id: account }),
  "accounts.timeline": ({ account }) => ({ id: account }),
  "accounts.calendars": ({ account }) => ({ id: account }),
  "accounts.day": ({ calendar }) => ({ calendarId: calendar }),
  "accounts.retryWrite": ({ write }) => ({ id: write }),
  "accounts.syncNow": ({ profile }) => ({ profileId: profile }),
  "channels.health": ({ channel }) => ({ id: channel }),
  "channels.test": ({ channel }) => ({ id: channel }),
  "channels.pause": ({ channel }) => ({ id: channel }),
  "channels.resume": ({ channel }) => ({ id: channel }),
  "endpoints.get": ({ channel }) => ({ id: channel }),
  "endpoints.chart": ({ channel }) => ({ id: channel }),
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
  "requests.notStored": [({ application }) => ({ application })],
  "channels.list": [({ application }) => ({ application }), ({ account }) => ({ account })],
};

function searches(): ((owned: Owned) => object)[] {
  const named = ["application", "account", "profile", "calendar", "channel", "email"] as const;
  return named.map((name) => (owned: Owned) => ({ q: owned[name] }));
}

function requestSearches(): ((owned: Owned) => object)[] {
  const named = ["application", "account", "request", "requestId"] as const;
  return [
    ({ application }) => ({ application }),
    ({ account }) => ({ account }),
    ({ application }) => ({ application, statusClass: ["4xx"], errorKey: "errors.required" }),
    ...named.map((name) => (owned: Owned) => ({ id: owned[name] })),
  ];
}

const known = staffApi._def.procedures as unknown as Record<string, { _def: { meta?: ProcedureMeta } }>;
let ours: Owned;
let theirs: Owned;
let developer: Operator;
let admin: Operator;

beforeAll(async () => {
  ours = await oneApplication();
  theirs = await oneApplication();
  developer = await newOperator("developer", "Lin", [ours.application]);
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

describe("a developer", () => {
  it("is considered by every procedure that is open to them", () => {
    const open = Object.keys(known).filter((name) =>
      ["everybody", "owners"].includes(known[name]?._def.meta?.for ?? ""),
    );
    expect([...Object.keys(ofOne), ...Object.keys(ofMany)].sort()).toEqual(open.sort());
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
    expect(shownOf(ours, own)).toEqual(shownOf(ours, all));
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
    const another = await oneApplication();
    const both = await newOperator("developer", "Noor", [ours.application, another.application]);
    const all = await call(admin, name, {});
    const own = await call(both, name, {});
    expect([shownOf(ours, own), shownOf(another, own), shownOf(theirs, own)]).toEqual([
      shownOf(ours, all),
      shownOf(another, all),
      [],
    ]);
  });

  it.each(Object.entries(ofOne))("has their own with %s", async (name, input) => {
    const withoutPassword = name === "applications.addSecret" || name === "applications.retireSecret";
    const result = await call(developer, name, input(ours));
    expect(result === "not_found").toBe(name === "applications.retireSecret");
    expect(["forbidden", "invalid"]).not.toContain(withoutPassword ? null : result);
  });
});

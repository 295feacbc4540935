import { describe, expect, it } from "vitest";
import { providerFacts } from "@/components/docs/generated/provider-facts";
import { guideNamed } from "@/components/docs/guides/all";
import { markdownParts } from "@/components/docs/markdown-parts";
import { googleVerdicts } from "@/server/domain/provider-responses/google";
import { microsoftVerdicts } from "@/server/domain/provider-responses/microsoft";
import { type Connectable, offerable, type Provider, providerTraits } from "@/server/domain/providers";
import type { Vocabulary } from "@/server/domain/wire-names";
import { openApiDocument } from "@/server/http/openapi/document";
import { offeredProviders } from "@/server/providers/offered";
import { differences } from "../../sync/contract/differences";
import { ownDatabase } from "../own-database";

ownDatabase(() => ({
  ...{ GOOGLE_CLIENT_ID: "id", GOOGLE_CLIENT_SECRET: "hush" },
  ...{ MICROSOFT_CLIENT_ID: "id", MICROSOFT_CLIENT_SECRET: "hush" },
}));

interface Served {
  offered?: readonly Connectable[];
  names?: Vocabulary;
  standIn?: string | null;
}

function served({ offered = offerable, names = "product", standIn = null }: Served = {}) {
  const addresses = { baseUrl: "https://api.almanac.test", appUrl: "https://app.almanac.test" };
  return openApiDocument({ ...addresses, names, offered, standIn, now: Date.now() });
}

function tablesOf(document = served(), traits = providerTraits) {
  const blocks = guideNamed("providers", document, traits).sections.flatMap((section) => section.blocks);
  const parts = blocks.flatMap((block) => (typeof block === "string" ? markdownParts(block) : []));
  return parts.filter((part) => part.kind === "table");
}

/** What the page says in each row, by the titles of the columns. */
function rowsOf(document = served(), traits = providerTraits) {
  const rows = new Map<string, Record<string, string>>();
  for (const part of tablesOf(document, traits)) {
    for (const [name = "", ...cells] of part.rows) {
      expect(cells).toHaveLength(part.head.length - 1);
      rows.set(name, Object.fromEntries(cells.map((cell, i) => [part.head[i + 1], cell])));
    }
  }
  return rows;
}

describe("what differs by provider", () => {
  it("has a column for hosted calendars and for each provider that can be connected, and for no other", () => {
    const columns = (offered: readonly Connectable[]) => Object.keys(rowsOf(served({ offered })).get("Sign-in") ?? {});
    expect(columns([])).toEqual(["Hosted by Almanac"]);
    expect(columns(["icloud"])).toEqual(["Hosted by Almanac", "iCloud"]);
    expect(columns(["google", "icloud"])).toEqual(["Hosted by Almanac", "Google", "iCloud"]);
    expect(columns(offerable)).toEqual(["Hosted by Almanac", "Google", "Microsoft 365", "Outlook.com", "iCloud"]);
  });

  it("leaves out nobody whose calendars this version can connect", () => {
    const offered = offeredProviders();
    expect(offered).toEqual([...offerable]);
    expect(offered.filter((provider) => !providerFacts[provider])).toEqual([]);
  });

  it("says that not every CalDAV server invites guests", () => {
    const { iCloud, Google } = rowsOf().get("Invitations") ?? {};
    expect(iCloud).toMatch(/^sent by iCloud; another CalDAV server sends them if it supports scheduling .* rejected/);
    expect(Google).toBe("sent by Google");
  });

  it("has an answer in each cell", () => {
    const rows = [...rowsOf().values()].flatMap((row) => Object.values(row));
    expect(rows.length).toBeGreaterThan(150);
    expect(rows.filter((cell) => cell === "" || /undefined|\[object/.test(cell))).toEqual([]);
  });

  it("has tables that a screen reader tells apart, and rows that a reader does", () => {
    const heads = tablesOf().map(({ head }) => head.join());
    expect(new Set(heads).size).toBe(heads.length);
    expect(rowsOf().size).toBe(tablesOf().flatMap(({ rows }) => rows).length);
  });

  it("says everything in which the same week differs from one at Google", () => {
    const rows = rowsOf();
    const titleOf = (provider: Provider) =>
      provider === "hosted" ? "Hosted by Almanac" : providerTraits[provider].label;
    const silent = offerable
      .filter((provider) => !providerTraits[provider].writesSilently)
      .map((provider) => ({ on: [provider], row: "`notify_attendees` is `false`" }));
    for (const { on, row } of [...differences, ...silent]) {
      const { Google: google, ...cells } = rows.get(row) ?? {};
      for (const provider of on) {
        const cell = cells[titleOf(provider)];
        expect(cell, `${row} of ${provider}`).toEqual(expect.any(String));
        expect(cell, `${row} of ${provider}`).not.toBe(google);
      }
    }
    expect(silent.flatMap(({ on }) => on)).toEqual(["microsoft", "outlook"]);
  });

  it("speaks of the names that this service uses", () => {
    const names = (vocabulary: Vocabulary) => {
      const rows = rowsOf(served({ names: vocabulary }));
      return ["`provider_name`", "`provider_service`", "`conferencing.provider_name`"].map(
        (name) => rows.get(name)?.Google,
      );
    };
    expect(names("product")).toEqual([
      "`google`",
      "`google` or `gsuite`",
      "`google_meet`, `google_hangouts` or the service of another link",
    ]);
    expect(names("neutral")).toEqual([
      "`prov_a`",
      "`svc_a1` or `svc_a2`",
      "`meet_a`, `meet_a_legacy` or the service of another link",
    ]);
  });

  it("has its figures from what the service does", () => {
    const long = (rows: ReturnType<typeof rowsOf>) => rows.get("Long descriptions");
    const fast = (rows: ReturnType<typeof rowsOf>) => rows.get("Other people's changes");
    expect(long(rowsOf())?.Google).toContain("8,192 characters");
    expect(fast(rowsOf())).toMatchObject({
      Google: expect.stringMatching(/within seconds.*every 6 hours.*about 1 minute/),
      "Microsoft 365": expect.stringMatching(/within seconds.*every 6 hours.*about 1 minute/),
      iCloud: "at the next check, by default after about 1 minute, or up to 5 minutes if the account has been quiet",
    });
    const google = { ...providerTraits.google, descriptionLimit: 4_096, watchedPollMs: 2 * 3_600_000 };
    const icloud = { ...providerTraits.icloud, descriptionLimit: 100, writesSilently: false, invites: false };
    const changed = rowsOf(served(), { ...providerTraits, google, icloud });
    expect(long(changed)).toMatchObject({
      Google: expect.stringContaining("4,096 characters"),
      iCloud: expect.stringContaining("100 characters"),
    });
    expect(fast(changed)?.Google).toContain("every 2 hours");
    expect(changed.get("Invitations")?.iCloud).toContain("errors.attendees_unsupported");
    expect(changed.get("`notify_attendees` is `false`")?.iCloud).toContain("errors.notify_attendees_unsupported");
  });

  it("says of every response by which profiles and writes are judged what follows from it", () => {
    const said = rowsOf();
    const tables = { "Response of Google": googleVerdicts, "Response of Microsoft": microsoftVerdicts };
    for (const [title, rows] of Object.entries(tables)) {
      const all = [...said.values()].map((cells) => cells[title] ?? "").join("\n");
      const shown = rows.filter(({ verdict }) => verdict !== "replace_token");
      for (const word of shown.flatMap(({ words }) => (Array.isArray(words) ? words : [])))
        expect(all).toContain(`\`${word}\``);
      for (const { means } of shown) expect(all).toContain(means);
    }
    const disconnects = said.get("The profile is disconnected, if it happens again half a minute later");
    expect(disconnects?.["Response of Google"]).toContain("`invalid_grant`");
    expect(disconnects?.["Response of Google"]).not.toContain("push.");
    const columns = (offered: readonly Connectable[]) => tablesOf(served({ offered })).at(-1)?.head;
    expect(columns(["outlook"])).toEqual(["What follows", "Response of Microsoft"]);
    expect(columns(["icloud"])).not.toContain("What follows");
  });
});

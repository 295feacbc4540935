import { afterAll, beforeAll, expect, it } from "vitest";
import type { Database } from "@/server/db/client";
import { alertUrlOf, sealAlertUrls } from "@/server/store/sealing/alert-urls";
import { formerDatabase } from "./former-database";

const MIGRATION = "20261127190000_sealed_alert_urls";

let db: Database;
let close: () => Promise<void>;

/** In the words of the version before. */
const former = `WITH target AS (INSERT INTO alert_targets (scope, emails, webhook_url, sealed_secret) VALUES
  ('staff', '{}', 'https://hooks.acme.io/T0/secret', 'sealed'), ('app_1', '{}', NULL, NULL))
INSERT INTO audit_entries (actor, action, object, detail) VALUES
  ('a', 'alerts.changed', 'staff', '{"on": [], "webhook": "hooks.acme.io/T0/secret"}'), ('a', 'alerts.changed', 'app_1', '{"on": [], "webhook": ""}'),
  ('a', 'channel.tested', 'chn_1', '{"webhook": "a/b"}')`;

beforeAll(async () => {
  ({ db, close } = await formerDatabase({ had: (name) => name < MIGRATION, fill: ({ query }) => query(former) }));
}, 300_000);

afterAll(() => close());

it("entries of the audit trail keep the host of an alert webhook, and are only ever added as before", async () => {
  const entries = await db.prisma.auditEntry.findMany({ orderBy: { id: "asc" } });
  expect(entries.map(({ detail }) => detail)).toEqual([
    { on: [], webhook: "hooks.acme.io" },
    { on: [], webhook: "" },
    { webhook: "a/b" },
  ]);
  await expect(db.query("UPDATE audit_entries SET actor = 'b'")).rejects.toThrow("only ever added");
});

it("a URL that the version before wrote is read, and sealed at the next start", async () => {
  const target = () => db.prisma.alertTarget.findUniqueOrThrow({ where: { scope: "staff" } });
  const url = "https://hooks.acme.io/T0/secret";
  expect(alertUrlOf(await target())).toBe(url);
  await sealAlertUrls(db);
  expect(JSON.stringify(await target())).not.toContain("hooks.acme.io");
  expect(alertUrlOf(await target())).toBe(url);
  // The version before, which still runs, changes it, and then removes it.
  const rewritten = { webhookUrl: "https://hooks.acme.io/T0/other" };
  await db.prisma.alertTarget.update({ where: { scope: "staff" }, data: rewritten });
  expect(alertUrlOf(await target())).toBe(rewritten.webhookUrl);
  await db.prisma.alertTarget.update({ where: { scope: "staff" }, data: { webhookUrl: null, sealedSecret: null } });
  expect(alertUrlOf(await target())).toBeNull();
});

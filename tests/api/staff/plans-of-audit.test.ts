import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/server/db/client";
import { runComposed } from "@/server/db/composed";
import { actionsIn, auditActionNames } from "@/server/domain/audit/actions";
import { type AuditSearch, auditEntries } from "@/server/services/staff/audit-trail/audit-trail.sql";
import { ownDatabase } from "../own-database";
import { rowsReadBy } from "./rows-read";

/** Of 100,000 entries nearly all are sign-ins and reads of one operator; the few changes are the oldest. */
const ENTRIES = 100_000;
const CHANGES = 40;
const PAGE = 51;
/** PostgreSQL rounds how many rows a look for one action reads. */
const ROUNDED = auditActionNames.length;

ownDatabase();

const start = Date.UTC(2026, 9, 1);
const micros = (minutes: number) => (start + minutes * 60_000) * 1000;

beforeAll(async () => {
  const run = db().query;
  await run(
    `INSERT INTO audit_entries (at, operator_id, actor, action, object)
SELECT $1::timestamptz + n * interval '1 minute', 'opr_' || n % 3, 'ada@acme.io (admin)',
  CASE WHEN n <= ${CHANGES} THEN 'application.changed' WHEN n % 2 = 0 THEN 'sign_in.succeeded' ELSE 'request.viewed' END,
  CASE WHEN n <= ${CHANGES} THEN 'app_' || n % 2 ELSE 'obj_' || n % 1000 END
FROM generate_series(1, ${ENTRIES}) n`,
    [new Date(start)],
  );
}, 300_000);

async function found(search: Partial<AuditSearch>) {
  let rows = 0;
  const read = await rowsReadBy(async (query) => {
    const whole = { actions: auditActionNames, objects: [], limit: PAGE, ...search };
    rows = (await runComposed(query, auditEntries, whole)).length;
  });
  return { rows, read };
}

const statistics: [string, () => Promise<unknown>][] = [
  ["without statistics, as the embedded database has none", async () => {}],
  ["with statistics", () => db().query("ANALYZE audit_entries")],
];

describe.each(statistics)("%s, a page of the audit trail reads", (_name, prepare) => {
  beforeAll(prepare);

  it("no more than a page of each action, however few the view has among all entries", async () => {
    const changes = await found({ actions: actionsIn(["changes"]) });
    expect(changes.rows).toBe(CHANGES);
    expect(changes.read).toBeLessThanOrEqual(CHANGES + ROUNDED);
    const signIns = await found({ actions: actionsIn(["sign_ins"]) });
    expect(signIns.rows).toBe(PAGE);
    expect(signIns.read).toBeLessThanOrEqual(2 * PAGE);
    expect((await found({})).read).toBeLessThanOrEqual(3 * PAGE);
  });

  it("as few of one operator", async () => {
    const changes = await found({ actions: actionsIn(["changes"]), operatorId: "opr_1" });
    expect(changes.rows).toBe(14);
    expect(changes.read).toBeLessThanOrEqual(14 + ROUNDED);
    expect((await found({ operatorId: "opr_nobody" })).read).toBe(0);
  });

  it("as few of a time, and after a page", async () => {
    const middle = { from: micros(50_000), to: micros(50_100) };
    const within = await found(middle);
    expect(within.rows).toBe(PAGE);
    expect(within.read).toBeLessThanOrEqual(3 * PAGE);
    const at = new Date(start + 50_050 * 60_000).toISOString().replace("Z", "000Z");
    const older = await found({ ...middle, after: { at, id: "50050" } });
    expect([older.rows, older.read <= 3 * PAGE]).toEqual([50, true]);
  });

  it("those of one object", async () => {
    const application = await found({ objects: ["app_1"] });
    expect(application).toEqual({ rows: CHANGES / 2, read: CHANGES / 2 });
    expect((await found({ objects: ["obj_7"], actions: actionsIn(["changes"]) })).read).toBeLessThanOrEqual(
      ENTRIES / 1000,
    );
  });
});

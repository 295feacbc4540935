import { describe, expect, it } from "vitest";
import { prepared } from "@/server/db/client";
import { statementSummary } from "@/server/db/statement-summary";
import { declaredStatements } from "../../fakes/declared-statements";

const cases: [string, string][] = [
  ["SELECT 1", "SELECT"],
  ["BEGIN", "BEGIN"],
  ["ANALYZE (SKIP_LOCKED) deliveries_queue (state)", "ANALYZE"],
  ["BEGIN; SELECT pg_advisory_xact_lock(7)", "BEGIN"],
  ["SELECT id FROM events WHERE id = $1", "SELECT events"],
  ["SELECT id FROM events WHERE id = $1 FOR UPDATE OF events", "SELECT events"],
  ["SELECT id FROM jobs FOR NO KEY UPDATE SKIP LOCKED", "SELECT jobs"],
  ['SELECT "public"."operators"."id" FROM "public"."operators" WHERE 1=1', "SELECT operators"],
  ["INSERT INTO outbox (kind) VALUES ($1) ON CONFLICT (id) DO UPDATE SET kind = $1", "INSERT outbox"],
  ["UPDATE ONLY profiles SET name = 'hunter2'", "UPDATE profiles"],
  ["DELETE FROM outbox WHERE id = ANY ($1::bigint[])", "DELETE outbox"],
  ["WITH t AS (SELECT now() AS now) SELECT a FROM t JOIN accounts USING (id)", "SELECT accounts"],
  ["WITH RECURSIVE r (a, b) AS MATERIALIZED (SELECT 1, 2) SELECT * FROM r", "WITH"],
  ["WITH gone AS (DELETE FROM codes RETURNING id) SELECT count(*) FROM gone", "DELETE codes"],
  ["hunter2 hunter2", "statement"],
];

describe("the summary of a statement", () => {
  it.each(cases)("of %s is %s", (text, summary) => {
    expect(statementSummary(text)).toBe(summary);
  });

  it("is its own name where it has one", () => {
    expect(statementSummary(prepared("a name of its own", "SELECT 2 FROM named"))).toBe("a name of its own");
  });

  it("is short and made of words for each statement that there is", () => {
    const summaries = declaredStatements.flatMap(({ variants }) => variants.map(({ text }) => statementSummary(text)));
    expect(summaries.length).toBeGreaterThan(250);
    expect(summaries.filter((summary) => !/^[\w ,'/-]{3,60}$/.test(summary))).toEqual([]);
    expect(summaries.filter((summary) => summary === "statement")).toEqual([]);
  });
});

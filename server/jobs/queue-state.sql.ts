import { float8, idOf, nullable, statement, text } from "@/server/db/statement";
import type { Work } from "@/server/db/wake";
import { workKinds, works } from "@/server/jobs/work-kinds";

/** A backlog is counted up to here: nobody needs to tell ten thousand rows from ten million, and counting those takes long. */
export const DEEPEST = 10_000;

/** Ages in seconds. The reported age is the longest of these that something has been due for. */
const AGES_S = [0, 5, 15, 60, 300, 900, 3_600, 14_400, 86_400] as const;

/** `provider`: only for syncs. `depth`: null where it is not counted. `age`: in seconds; null: nothing is due. */
export interface QueueState {
  work: Work;
  provider: string;
  depth: number | null;
  age: number | null;
}

const overdueBy = (seconds: string) =>
  `t AS (SELECT coalesce($1::timestamptz, clock_timestamp()) - make_interval(secs => ${seconds}) AS since)`;

/** Returns SQL for the longest age at which a row is due. */
const ageOf = (rows: string) =>
  `(SELECT max(a.s) FROM unnest('{${AGES_S.join(",")}}'::float8[]) AS a(s)
    WHERE EXISTS (WITH ${overdueBy("a.s")} ${rows}))`;

const of = (work: Work) => {
  const { overdue } = workKinds[work];
  const depth = `(WITH ${overdueBy("0")} SELECT count(*)::float8 FROM (${overdue} LIMIT ${DEEPEST}) due)`;
  return `SELECT '${work}' AS work, '' AS provider, ${depth} AS depth, ${ageOf(overdue)} AS age`;
};

/** Syncs by provider: one provider that is down must not hide behind another. */
const syncs = `SELECT 'sync' AS work, due.provider::text AS provider, NULL::float8 AS depth, max(due.s) AS age
  FROM (SELECT a.s, one.provider FROM unnest('{${AGES_S.join(",")}}'::float8[]) AS a(s) CROSS JOIN LATERAL
    (WITH ${overdueBy("a.s")} ${workKinds.sync.overdue.replace(/^SELECT FROM/, "SELECT DISTINCT provider FROM")}) one) due
  GROUP BY due.provider`;

/** The amount of due work of each kind, and since when it is due. $1: the time to judge by. */
export const queueState = statement<QueueState>(
  [...works.filter((work) => work !== "sync").map(of), syncs].join("\nUNION ALL "),
  { work: idOf<Work>(), provider: text, depth: nullable(float8), age: nullable(float8) },
);

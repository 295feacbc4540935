import { db, type Query } from "@/server/db/client";

interface Node {
  "Node Type": string;
  "Relation Name"?: string;
  "Parent Relationship"?: string;
  "Subplan Name"?: string;
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  Plans?: Node[];
}

/** How many rows of tables the statements of some work read, kept or not. Of applications there are few. */
export async function rowsReadBy(work: (query: Query) => Promise<unknown>): Promise<number> {
  let read = 0;
  const explaining: Query = async <Row extends object>(text: string, values: readonly unknown[] = []) => {
    const [row] = await db().query<{ "QUERY PLAN": { Plan: Node }[] }>(
      `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
      values,
    );
    read += rowsIn(row?.["QUERY PLAN"][0]?.Plan);
    return await db().query<Row>(text, values);
  };
  await work(explaining);
  return read;
}

/** How many rows a statement puts into arrays. */
export async function rowsInArrays(text: string, values: readonly unknown[]): Promise<number> {
  const [row] = await db().query<{ "QUERY PLAN": { Plan: Node }[] }>(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, values);
  const arrays = (node: Node): Node[] => [
    ...(node["Parent Relationship"] === "InitPlan" && node["Subplan Name"]?.startsWith("InitPlan") ? [node] : []),
    ...(node.Plans ?? []).flatMap(arrays),
  ];
  const found = arrays(row?.["QUERY PLAN"][0]?.Plan ?? { "Node Type": "", "Actual Rows": 0, "Actual Loops": 0 });
  if (found.length === 0) throw new Error("it makes no array");
  return found.reduce((sum, node) => sum + node["Actual Rows"] * node["Actual Loops"], 0);
}

function rowsIn(node: Node | undefined): number {
  if (!node) return 0;
  const own =
    node["Relation Name"] && node["Relation Name"] !== "applications"
      ? node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0)
      : 0;
  return own * node["Actual Loops"] + (node.Plans ?? []).reduce((sum, inner) => sum + rowsIn(inner), 0);
}

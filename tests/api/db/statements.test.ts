import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Column } from "@/server/db/statement";
import { declaredStatements } from "../../fakes/declared-statements";
import { type DescribedColumn, describeStatement } from "../../fakes/describe-statement";

const statements = declaredStatements.flatMap(({ file, name, isComposed, variants }) =>
  variants.map((statement, i) => ({ name: `${file} ${name}${isComposed ? `, sample ${i}` : ""}`, statement })),
);

const client = new pg.Client({ connectionString: process.env.DATABASE_URL });
/** By the object id of a type its name, "enum" for types of ours. */
const types = new Map<number, string>();
/** Columns that their tables let be null: the table's object id and the column's number. */
const nullable = new Set<string>();

beforeAll(async () => {
  await client.connect();
  const found = await client.query<{ id: number; name: string }>(
    "SELECT oid AS id, CASE WHEN typtype = 'e' THEN 'enum' ELSE typname END AS name FROM pg_type",
  );
  for (const { id, name } of found.rows) types.set(id, name);
  const columns = await client.query<{ id: string }>(
    "SELECT concat(attrelid, '.', attnum) AS id FROM pg_attribute WHERE attnum > 0 AND NOT attnotnull",
  );
  for (const { id } of columns.rows) nullable.add(id);
});

afterAll(() => client.end());

it("finds the statements", () => {
  expect(statements.length).toBeGreaterThan(10);
});

for (const { name, statement } of statements) {
  it(`${name} is parsed, and gives the columns that are declared`, async () => {
    const { text, columns } = statement;
    const described = await describeStatement(client, text);
    expect(Object.fromEntries(described.map((column) => [column.name, types.get(column.typeId)]))).toEqual(
      Object.fromEntries(Object.entries(columns).map(([column, { type }]) => [column, type])),
    );
    expect(described.filter((column) => hidesNull(column, columns[column.name])).map((column) => column.name)).toEqual(
      [],
    );
  });
}

/** Of computed columns and those of outer joins PostgreSQL does not say whether they can be null. */
function hidesNull({ tableId, columnId }: DescribedColumn, declared: Column<unknown> | undefined): boolean {
  return nullable.has(`${tableId}.${columnId}`) && declared?.isNullable === false;
}

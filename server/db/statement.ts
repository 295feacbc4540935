import type { Query } from "@/server/db/client";

type ColumnType =
  | "text"
  | "_text"
  | "bool"
  | "int2"
  | "int4"
  | "_int4"
  | "int8"
  | "float8"
  | "timestamptz"
  | "date"
  | "bytea"
  | "json"
  | "jsonb"
  | "enum";

/** A column of a result, by PostgreSQL's name of its type. `value` is never there: it carries what pg makes of the type. */
export interface Column<Value> {
  readonly type: ColumnType;
  readonly isNullable: boolean;
  readonly value?: Value;
}

/** An SQL statement with the columns that it gives; a test compares them with what PostgreSQL says of it. */
export interface Statement<Row extends object> {
  readonly text: string;
  readonly columns: { readonly [Name in keyof Row]-?: Column<Row[Name]> };
}

type NoColumns = Record<never, never>;

/** Declares a statement that returns no columns: its rows can only be counted. */
export function command(text: string): Statement<NoColumns> {
  return { text, columns: {} };
}

export function statement<Row extends object>(text: string, columns: Statement<Row>["columns"]): Statement<Row> {
  return { text, columns };
}

export const text: Column<string> = { type: "text", isNullable: false };
/** An id that has a type of its own. */
export const idOf = <Value extends string>(): Column<Value> => ({ type: "text", isNullable: false });
export const bool: Column<boolean> = { type: "bool", isNullable: false };
export const int4: Column<number> = { type: "int4", isNullable: false };
export const float8: Column<number> = { type: "float8", isNullable: false };
/** Small numbers of a column, which pg reads as it reads others. */
export const int2: Column<number> = { type: "int2", isNullable: false };
export const int4s: Column<number[]> = { type: "_int4", isNullable: false };
/** pg gives these as text: JavaScript's numbers are not as exact. */
export const int8: Column<string> = { type: "int8", isNullable: false };
/** To the millisecond. */
export const timestamp: Column<Date> = { type: "timestamptz", isNullable: false };
export const bytes: Column<Buffer> = { type: "bytea", isNullable: false };
export const texts: Column<string[]> = { type: "_text", isNullable: false };
/** What json_agg and its like give. */
export const jsonText = <Value>(): Column<Value> => ({ type: "json", isNullable: false });
export const json = <Value>(): Column<Value> => ({ type: "jsonb", isNullable: false });
/** Text that is one of a few, as far as we write it. */
export const textOf = <Value extends string>(): Column<Value> => ({ type: "text", isNullable: false });
/** A type of ours, whose values TypeScript knows too. */
export const oneOf = <Value extends string>(): Column<Value> => ({ type: "enum", isNullable: false });
export const nullable = <Value>({ type }: Column<Value>): Column<Value | null> => ({ type, isNullable: true });

export function run<Row extends object>(
  query: Query,
  { text }: Statement<Row>,
  values?: readonly unknown[],
): Promise<Row[]> {
  return query<Row>(text, values);
}

/** Reads the row of a statement that always gives one, whatever is stored. Throws when there is none: no value is made up for it. */
export async function queryOne<Row extends object>(
  query: Query,
  text: string,
  values?: readonly unknown[],
): Promise<Row> {
  const [row] = await query<Row>(text, values);
  if (row === undefined) throw new Error("A statement that always gives a row gave none.");
  return row;
}

/** Runs a declared statement that returns exactly one row. */
export function runOne<Row extends object>(
  query: Query,
  { text }: Statement<Row>,
  values?: readonly unknown[],
): Promise<Row> {
  return queryOne<Row>(query, text, values);
}

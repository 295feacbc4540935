import { preparedShape, type Query } from "@/server/db/client";
import { type Column, queryOne, type Statement } from "@/server/db/statement";

/** The values of a statement that is put together: `put` gives the name under which one is used. */
export interface Binding {
  readonly values: unknown[];
  put(value: unknown): string;
}

type Columns<Row extends object> = Statement<Row>["columns"];

/** Of a row some of whose columns are there for some inputs only. */
type ColumnsOfInput<Row extends object> = {
  readonly [Name in keyof Row as object extends Pick<Row, Name> ? never : Name]: Column<Row[Name]>;
} & {
  readonly [Name in keyof Row as object extends Pick<Row, Name> ? Name : never]?: Column<Exclude<Row[Name], undefined>>;
};

/** SQL that depends on its input, as that of a search does. A test prepares it for each of the samples, so they must reach every branch. */
export interface Composed<Input, Row extends object> {
  compose(input: Input, binding: Binding): string;
  columns: Columns<Row> | ((input: Input) => ColumnsOfInput<Row>);
  samples: readonly Input[];
  /** For which inputs the statement keeps its plan on a connection, of which there must be few texts. Omitted: for none. */
  isKept?: (input: Input) => boolean;
}

export function composed<Input, Row extends object>(given: Composed<Input, Row>): Composed<Input, Row> {
  return given;
}

/** Composes the statement for one input, as the test of the statements prepares it. */
export function composedFor<Input, Row extends object>(
  { compose, columns }: Composed<Input, Row>,
  input: Input,
): Statement<object> {
  const text = compose(input, binding());
  return { text, columns: typeof columns === "function" ? columns(input) : columns };
}

export function runComposed<Input, Row extends object>(
  query: Query,
  { compose, isKept }: Composed<Input, Row>,
  input: Input,
): Promise<Row[]> {
  const bound = binding();
  const text = compose(input, bound);
  return query<Row>(isKept?.(input) ? preparedShape(text) : text, bound.values);
}

/** Runs a statement that always returns one row, and returns the row. Throws when there is none. */
export function runComposedOne<Input, Row extends object>(
  query: Query,
  { compose, isKept }: Composed<Input, Row>,
  input: Input,
): Promise<Row> {
  const bound = binding();
  const text = compose(input, bound);
  return queryOne<Row>(query, isKept?.(input) ? preparedShape(text) : text, bound.values);
}

/** Lists samples of a search: without options, with each option by itself, and with all of them. */
export function samplesOf<Options extends object>(options: Options): Partial<Options>[] {
  const each = Object.entries(options).map(([name, value]) => ({ [name]: value }) as Partial<Options>);
  return [{}, ...each, options];
}

export function binding(): Binding {
  const values: unknown[] = [];
  return { values, put: (value) => `$${values.push(value)}` };
}

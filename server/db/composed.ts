import type { Query } from "@/server/db/client";
import { queryOne } from "@/server/db/query-one";
import type { Statement } from "@/server/db/statement";

/** The values of a statement that is put together: `put` gives the name under which one is used. */
export interface Binding {
  readonly values: unknown[];
  put(value: unknown): string;
}

type Columns<Row extends object> = Statement<Row>["columns"];

/** SQL that depends on its input, as that of a search does. A test prepares it for each of the samples, so they must reach every branch. */
export interface Composed<Input, Row extends object> {
  compose(input: Input, binding: Binding): string;
  columns: Columns<Row> | ((input: Input) => Columns<Row>);
  samples: readonly Input[];
}

export function composed<Input, Row extends object>(given: Composed<Input, Row>): Composed<Input, Row> {
  return given;
}

/** The statement for one input, with its values. */
export function composedFor<Input, Row extends object>(
  { compose, columns }: Composed<Input, Row>,
  input: Input,
): Statement<Row> & { values: unknown[] } {
  const bound = binding();
  const text = compose(input, bound);
  return { text, columns: typeof columns === "function" ? columns(input) : columns, values: bound.values };
}

export function runComposed<Input, Row extends object>(
  query: Query,
  composed: Composed<Input, Row>,
  input: Input,
): Promise<Row[]> {
  const { text, values } = composedFor(composed, input);
  return query<Row>(text, values);
}

/** The row of a statement that always gives one. Throws when there is none. */
export function runComposedOne<Input, Row extends object>(
  query: Query,
  composed: Composed<Input, Row>,
  input: Input,
): Promise<Row> {
  const { text, values } = composedFor(composed, input);
  return queryOne<Row>(query, text, values);
}

/** Samples of a search: nothing given, each option by itself, and all of them. */
export function samplesOf<Options extends object>(options: Options): Partial<Options>[] {
  const each = Object.entries(options).map(([name, value]) => ({ [name]: value }) as Partial<Options>);
  return [{}, ...each, options];
}

export function binding(): Binding {
  const values: unknown[] = [];
  return { values, put: (value) => `$${values.push(value)}` };
}

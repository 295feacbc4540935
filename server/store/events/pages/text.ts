/**
 * Rows are sent as one text, which costs a tenth of the protocol's rows: the separators are characters that JSON and
 * our ids never contain.
 */
const FIELD = "\t";
const ROW = "\n";

/** Returns SQL for one field: no field is null, because a row with one would be missing. */
export function field(sql: string): string {
  return `coalesce((${sql})::text, '')`;
}

/** Returns SQL for the rows of a query as one text, in its order, or for some of them; null when there are none. */
export function rowsAsText(fields: readonly string[], where?: string): string {
  return `string_agg(${fields.join(" || E'\\t' || ")}, E'\\n')${where ? ` FILTER (WHERE ${where})` : ""}`;
}

/** Splits a text into its rows, each with its fields in one text. */
export function readLines(text: string | null): string[] {
  return text === null ? [] : text.split(ROW);
}

/** Splits a text into the fields of each row. */
export function readRows(text: string | null): string[][] {
  return readLines(text).map((row) => row.split(FIELD));
}

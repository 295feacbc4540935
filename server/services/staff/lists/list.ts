/** The value of a cell in an exported file. */
export type Cell = string | number | boolean | null;

/** Functions for the cells of a row by the name of their column; `time` writes an ISO time in the reader's zone. */
export type Columns<Row> = Record<string, (row: Row, time: (iso: string) => string) => Cell>;

/** A list of the dashboard, of GraphQL and of exports: its filters, and the columns of its file. */
export interface StaffList<Row> {
  /** The name in tRPC, in the audit trail and of a file. */
  name: string;
  /** The path of its page. */
  path?: string;
  /** The field that the / key focuses, and the filter that it sets. */
  search?: Search;
  /** In the order of their chips. */
  filters: ListFilters;
  /** Its orders, by their names in the query. Without one it has the first. */
  sorts?: Sorts;
  /** The columns of its export, if it has one. */
  columns?: Columns<Row>;
}

export interface Search {
  name: string;
  label: string;
  placeholder: string;
}

/** An order of a list. */
export interface Sort {
  /** As a menu names it: "Oldest first". */
  label: string;
  /** What it does not cover, for the title of its column. */
  about?: string;
  /** The order of the values of its column, as `aria-sort` has it. */
  direction: "ascending" | "descending" | "other";
  /** Filters to set with it, unless one of `unless` is set. */
  sets?: { values: Readonly<Record<string, string>>; unless: readonly string[] };
}
export type Sorts = Readonly<Record<string, Sort>>;

/**
 * How a page shows a filter. With options, one is chosen, or any number for `choices` and `texts`; without options, a
 * value is typed.
 */
export interface Chip {
  label: string;
  placeholder?: string;
  hint?: string;
  /** The values to choose from, unless they are those of the filter or the names of `words`. */
  options?: readonly string[];
  /** Another filter of the list that the same chip sets: a value typed instead of chosen. */
  typed?: { name: string; label: string; placeholder: string };
  /** Display names of the values. */
  words?: Readonly<Record<string, string>>;
}

/** A field that narrows a list: in a procedure's input, in GraphQL, where `about` documents it, and as a chip on the page. */
export type ListFilter = { about?: string; chip?: Chip } & (
  | { kind: "id" | "text"; max?: number }
  | { kind: "texts"; max: number }
  | { kind: "choices"; values: readonly string[] }
  | { kind: "number"; min: number; max: number }
  // A flag is true, false or omitted; `only` is true or omitted.
  | { kind: "flag" | "only" | "time" }
);
export type ListFilters = Readonly<Record<string, ListFilter>>;

interface Values {
  id: string;
  text: string;
  texts: string[];
  choices: string[];
  number: number;
  flag: boolean;
  only: true;
  /** With an offset. */
  time: string;
}

/** The value of a filter in a call. */
export type FilterValue<Filter extends ListFilter> = Filter extends { values: readonly string[] }
  ? FilterChoice<Filter>[]
  : Values[Filter["kind"]];
export type FilterChoice<Filter> = Filter extends { values: readonly (infer Value)[] } ? Value : never;
export type FilterValues<List extends ListFilters> = { -readonly [Name in keyof List]?: FilterValue<List[Name]> };

/** The names of a list's filters that take values of a closed set. */
export type ChoiceName<List extends ListFilters> = {
  [Name in keyof List]: List[Name]["kind"] extends "choices" ? Name : never;
}[keyof List];

/** A language's notation for values. */
export interface Notation {
  text: (text: string) => string;
  object: [open: string, close: string];
  list: [open: string, close: string];
  entry: (key: string, value: string) => string;
  /** An empty object. */
  emptyObject: string;
  nothing: string;
  yes: string;
  no: string;
  /** The indentation of each level. */
  indent: 2 | 4;
  /** Space inside an object on one line. */
  pad: "" | " ";
}

const WIDTH = 72;

/** Writes a JSON value in a language, on one line if it is short. `depth` is the indentation of later lines. */
export function literal(notation: Notation, value: unknown, depth = 0): string {
  if (typeof value === "string") return notation.text(value);
  if (typeof value === "number") return String(value);
  if (typeof value === "boolean") return value ? notation.yes : notation.no;
  if (value === null || value === undefined) return notation.nothing;
  if (Array.isArray(value)) {
    const all = (inner: number) => value.map((each) => literal(notation, each, inner));
    return enclosed(notation.list, { depth, indent: notation.indent, pad: "" }, all);
  }
  const entries = Object.entries(value);
  if (entries.length === 0) return notation.emptyObject;
  return enclosed(notation.object, { depth, ...notation }, (inner) =>
    entries.map(([key, each]) => notation.entry(key, literal(notation, each, inner))),
  );
}

interface Layout extends Pick<Notation, "indent" | "pad"> {
  depth: number;
}

function enclosed(
  [open, close]: [string, string],
  { depth, indent: step, pad }: Layout,
  entries: (depth: number) => string[],
): string {
  const inner = entries(depth + step);
  const line = `${open}${pad}${inner.join(", ")}${pad}${close}`;
  if (inner.length === 0) return `${open}${close}`;
  if (line.length + depth <= WIDTH && !line.includes("\n")) return line;
  const indent = " ".repeat(depth + step);
  return `${open}\n${inner.map((each) => `${indent}${each},\n`).join("")}${" ".repeat(depth)}${close}`;
}

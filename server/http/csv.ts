import type { Cell, Columns } from "@/server/services/staff/lists/list";

const MOST_ROWS = 10_000;
/**
 * Where spreadsheets would take what follows as a formula (ASVS 5.0, 1.2.10): at the beginning of a cell, and after anything at which one
 * with other settings begins another cell, since quotes in the middle of what it takes for a cell are nothing to it.
 */
const BEFORE_FORMULA = /(^ *|[;,"\t\r\n] *)(?=[=+\-@＝＋－＠])|^(?=[\t\r])/g;
const QUOTED = /[;,"\t\r\n]|^ | $/;

interface Page<Row> {
  items: readonly Row[];
  next: string | null;
}

interface CsvOptions<Row> {
  /** Without its ending. */
  name: string;
  columns: Columns<Row>;
  /** Writes a time (ISO, UTC) as its reader wants it; left alone where it is absent. */
  time?(iso: string): string;
  /** The first page, read before anything is sent, so that a refusal is still a separate response. */
  first: Page<Row>;
  more(after: string): Promise<Page<Row>>;
}

/**
 * Sends a list as CSV (RFC 4180), page by page as the reader takes it: at most 10,000 rows, and then one that says so.
 * No cell can be a formula.
 */
export function csvResponse<Row>(options: CsvOptions<Row>): Response {
  const rest = chunks(options);
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value, done } = await rest.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: () => void rest.return(undefined),
  });
  return new Response(body, {
    headers: {
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": `attachment; filename="${options.name}.csv"`,
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    },
  });
}

async function* chunks<Row>({ columns, time, first, more }: CsvOptions<Row>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  const line = (cells: readonly Cell[]) => `${cells.map(csvCell).join(",")}\r\n`;
  const names = Object.keys(columns);
  yield encoder.encode(line(names));
  let sent = 0;
  let isCut = false;
  for (let page: Page<Row> | null = first; page; page = page.next && !isCut ? await more(page.next) : null) {
    const rows = page.items.slice(0, MOST_ROWS - sent);
    sent += rows.length;
    isCut = rows.length < page.items.length || (sent === MOST_ROWS && page.next !== null);
    const lines = rows.map((row) => line(Object.values(columns).map((cell) => cell(row, time ?? unchanged))));
    yield encoder.encode(lines.join(""));
  }
  if (isCut) yield encoder.encode(line(names.map((_, i) => (i === 0 ? CUT : null))));
}

const unchanged = (iso: string) => iso;
const CUT = "Only the first 10,000 rows are exported. Narrow the filters to get the rest.";

/**
 * Writes a cell as it stands in the file: prefixes whatever could be a formula in it, and quotes it where it must be
 * quoted.
 */
export function csvCell(value: Cell): string {
  if (value === null) return "";
  const text = typeof value === "string" ? value.replace(BEFORE_FORMULA, "$1'") : String(value);
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

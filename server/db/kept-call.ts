import pg from "pg";
import pgUtils from "pg/lib/utils.js";

/** What a statement gives, as far as we read it. */
export interface CallResult {
  command: string;
  rowCount: number | null;
  rows: object[];
}

type Done = (error: Error | null, result?: CallResult) => void;

/** What of pg's connection a call needs. */
interface Connection {
  stream: { writable: boolean; write(bytes: Buffer): boolean; cork(): void; uncork(): void };
  parsedStatements: Record<string, string>;
  submittedNamedStatements: Record<string, string>;
  parse(statement: { name: string; text: string }): void;
  describe(portal: { type: "P"; name: string }): void;
  execute(portal: { portal: string }): void;
  close(statement: { type: "S"; name: string }): void;
  sync(): void;
}

interface ColumnReader {
  name: string;
  read(text: string): unknown;
}

/** The columns of the statements of a connection by their names, as PostgreSQL described them. */
const columns = new WeakMap<Connection, Map<string, readonly ColumnReader[]>>();
const NONE: readonly ColumnReader[] = [];

/**
 * A call of a named statement, as pg submits it. Once a connection has described the statement its calls are one write of bind, execute and
 * sync: pg's own query asks for the columns each time, and makes of each message a piece of its own. PostgreSQL refuses a statement whose
 * columns have changed since it was prepared.
 */
export class KeptCall {
  /** Set by pg, which does so only where there is none. */
  callback: Done | undefined = undefined;
  private connection: Connection | undefined;
  private readers: readonly ColumnReader[] | undefined;
  private result: CallResult = { command: "", rowCount: null, rows: [] };
  private fault: Error | undefined;

  constructor(
    readonly name: string,
    readonly text: string,
    private readonly values: readonly unknown[],
  ) {}

  submit(connection: Connection): Error | null {
    this.connection = connection;
    this.readers = columns.get(connection)?.get(this.name);
    const { stream, parsedStatements, submittedNamedStatements } = connection;
    const known = parsedStatements[this.name] ?? submittedNamedStatements[this.name];
    if (known !== undefined && known !== this.text) {
      return new Error(`Prepared statements must be unique - '${this.name}' was used for a different statement`);
    }
    let bind: Buffer;
    try {
      bind = bindMessage(this.name, this.values, this.readers !== undefined);
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
    if (this.readers) {
      if (stream.writable) stream.write(bind);
      return null;
    }
    stream.cork();
    if (known === undefined) {
      connection.parse({ name: this.name, text: this.text });
      submittedNamedStatements[this.name] = this.text;
    }
    if (stream.writable) stream.write(bind);
    connection.describe({ type: "P", name: "" });
    connection.execute({ portal: "" });
    connection.sync();
    stream.uncork();
    return null;
  }

  handleRowDescription({ fields }: { fields: { name: string; dataTypeID: number }[] }): void {
    this.keep(fields.map(({ name, dataTypeID }) => ({ name, read: pg.types.getTypeParser(dataTypeID, "text") })));
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    const row: Record<string, unknown> = {};
    const readers = this.readers ?? NONE;
    try {
      for (let i = 0; i < readers.length; i += 1) {
        const reader = readers[i];
        const field = fields[i];
        if (reader) row[reader.name] = field === null || field === undefined ? null : reader.read(field);
      }
    } catch (error) {
      this.fault = error instanceof Error ? error : new Error(String(error));
    }
    this.result.rows.push(row);
  }

  handleCommandComplete({ text }: { text: string }): void {
    if (!this.readers) this.keep(NONE);
    const words = text.split(" ");
    this.result.command = words[0] ?? "";
    if (words.length > 1) this.result.rowCount = Number(words.at(-1));
  }

  handleReadyForQuery(): void {
    const { result } = this;
    // The pool keeps the first call of each connection for as long as that is open.
    this.result = { command: "", rowCount: null, rows: [] };
    if (this.fault) this.callback?.(this.fault);
    else this.callback?.(null, result);
  }

  handleError(error: Error): void {
    if (this.connection) columns.get(this.connection)?.delete(this.name);
    this.callback?.(error);
  }

  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
  handleCopyInResponse(): void {}
  handleCopyData(): void {}

  private keep(readers: readonly ColumnReader[]): void {
    this.readers = readers;
    if (!this.connection) return;
    const known = columns.get(this.connection) ?? new Map<string, readonly ColumnReader[]>();
    columns.set(this.connection, known.set(this.name, readers));
  }
}

const EXECUTE_AND_SYNC = Buffer.from([0x45, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0x53, 0, 0, 0, 4]);
const TEXT = 0;
const BINARY = 1;

/**
 * Encodes the Bind message of the unnamed portal, with all columns as text (PostgreSQL's documentation, "Message
 * Formats"), followed by the execution if it is wanted.
 */
function bindMessage(name: string, values: readonly unknown[], withExecution: boolean): Buffer {
  const sent: (string | Buffer | null)[] = [];
  const sizes: number[] = [];
  // Code and length, an empty portal, the statement, and three counts.
  let length = 5 + 1 + Buffer.byteLength(name) + 1 + 6;
  for (const value of values) {
    const text = prepared(value);
    const size = typeof text === "string" ? Buffer.byteLength(text) : (text?.length ?? 0);
    sent.push(text);
    sizes.push(text === null ? -1 : size);
    length += 6 + size;
  }
  const message = Buffer.allocUnsafe(withExecution ? length + EXECUTE_AND_SYNC.length : length);
  let at = message.writeUInt8(0x42, 0);
  at = message.writeInt32BE(length - 1, at);
  at = message.writeUInt8(0, at);
  at += message.write(name, at);
  at = message.writeUInt8(0, at);
  at = message.writeInt16BE(sent.length, at);
  for (const value of sent) at = message.writeInt16BE(value instanceof Buffer ? BINARY : TEXT, at);
  at = message.writeInt16BE(sent.length, at);
  for (let i = 0; i < sent.length; i += 1) {
    const value = sent[i] ?? null;
    at = message.writeInt32BE(sizes[i] ?? -1, at);
    if (typeof value === "string") at += message.write(value, at);
    else if (value !== null) at += value.copy(message, at);
  }
  at = message.writeInt16BE(0, at);
  if (withExecution) EXECUTE_AND_SYNC.copy(message, at);
  return message;
}

const YEAR_10000 = 253_402_300_800_000;

/**
 * Prepares a value as pg sends it, but writes a moment in UTC, which costs a tenth of one in the zone of the process.
 */
function prepared(value: unknown): string | Buffer | null {
  if (typeof value === "string") return value;
  if (value instanceof Date && value.getTime() >= 0 && value.getTime() < YEAR_10000) return value.toISOString();
  return pgUtils.prepareValue(value);
}

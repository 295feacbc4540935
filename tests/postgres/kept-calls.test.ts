import { createServer, connect as dial, type Server, type Socket } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { connect, type Database, prepared } from "@/server/db/client";
import { env } from "@/server/env";
import { ownDatabase } from "../api/own-database";

ownDatabase();

const everyType = prepared(
  "of every type",
  `SELECT $1::text AS text, $2::int AS int, $3::bool AS bool, $4::timestamptz AS at, $5::bytea AS bytes, $6::text[] AS texts,
  $7::jsonb AS json, $8::float8 AS float, $9::int8 AS long, NULL::text AS nothing WHERE $1::text <> 'none'`,
);
const divide = prepared("divides", "SELECT 10 / $1::int AS result");
const write = prepared("writes", "INSERT INTO kept_calls SELECT * FROM generate_series(1, $1::int)");

/** What the client writes to PostgreSQL, piece by piece. */
let pieces: Buffer[] = [];
let proxy: Server;
let database: Database;
const sockets = new Set<Socket>();

beforeAll(async () => {
  const address = new URL(env().DATABASE_URL ?? "");
  proxy = createServer((client) => {
    const server = dial(Number(address.port || 5432), address.hostname);
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on("error", () => {});
    }
    client.on("data", (chunk: Buffer) => {
      pieces.push(chunk);
      server.write(chunk);
    });
    server.pipe(client);
    client.once("close", () => server.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const through = new URL(address);
  through.hostname = "127.0.0.1";
  through.port = String((proxy.address() as { port: number }).port);
  database = connect(through.href, { max: 1 });
  await database.query("CREATE TABLE kept_calls (n int)");
});

beforeEach(() => {
  pieces = [];
});

afterAll(async () => {
  await database.close();
  for (const socket of sockets) socket.destroy();
  proxy.close();
});

/** The codes of the messages (PostgreSQL's documentation, "Message Formats"). */
function messages(): string {
  const bytes = Buffer.concat(pieces);
  let codes = "";
  for (let at = 0; at < bytes.length; at += 1 + bytes.readInt32BE(at + 1)) codes += String.fromCharCode(bytes[at] ?? 0);
  return codes;
}

describe("a call of a named statement", () => {
  const at = new Date("2025-06-01T10:00:00.123Z");
  const values = [
    "é\u{1f600}",
    7,
    true,
    at,
    Buffer.from([0, 255]),
    ["a", 'b"', "{}"],
    { a: [1] },
    1.5,
    "9007199254740993",
  ];
  const row = {
    text: "é\u{1f600}",
    int: 7,
    bool: true,
    at,
    bytes: Buffer.from([0, 255]),
    texts: ["a", 'b"', "{}"],
    json: { a: [1] },
    float: 1.5,
    long: "9007199254740993",
    nothing: null,
  };

  it("asks for its columns once for each connection, and then is one piece", async () => {
    expect(await database.query(everyType, values)).toEqual([row]);
    expect(messages()).toBe("PBDES");
    pieces = [];
    expect(await database.query(everyType, values)).toEqual([row]);
    expect(messages()).toBe("BES");
    expect(pieces).toHaveLength(1);
  });

  it("gives no row, nulls and moments before 1970 as pg does", async () => {
    expect(await database.query(everyType, ["none", ...values.slice(1)])).toEqual([]);
    const old = new Date("1890-01-01T00:00:00Z");
    const nulls = ["x", null, undefined, old, null, null, null, null, null];
    const [found] = await database.query(everyType, nulls);
    expect(found).toMatchObject({ text: "x", int: null, bool: null, at: old, bytes: null, texts: null });
  });

  it("that fails says so, and the next one works, in a transaction as well", async () => {
    expect(await database.query(divide, [5])).toEqual([{ result: 2 }]);
    await expect(database.query(divide, [0])).rejects.toMatchObject({ code: "22012" });
    expect(await database.query(divide, [2])).toEqual([{ result: 5 }]);
    await expect(database.transaction((query) => query(divide, [0]))).rejects.toMatchObject({ code: "22012" });
    expect(await database.transaction((query) => query(divide, [1]))).toEqual([{ result: 10 }]);
  });

  it("tells how many rows a transaction wrote", async () => {
    let rows = 0;
    const counting = database.counting((n) => {
      rows += n;
    });
    for (const n of [3, 4]) await counting.transaction((query) => query(write, [n]));
    expect(rows).toBe(7);
    expect(await database.query("SELECT count(*)::int AS n FROM kept_calls")).toEqual([{ n: 7 }]);
  });
});

import pino from "pino";
import { expect, onTestFinished } from "vitest";
import { context } from "@/server/context";
import { db } from "@/server/db/client";
import { processServices } from "@/server/http/process-services";
import { errorFacts } from "@/server/log";

/** What the process writes while a test runs, its own log among it. */
export function output(): { text(): string } {
  const pieces: string[] = [];
  const before = context.log;
  const note = { write: (line: string) => void pieces.push(line) };
  context.log = pino({ level: "trace", base: null, serializers: { err: errorFacts } }, note);
  const streams = [process.stdout, process.stderr].map((stream) => ({ stream, write: stream.write }));
  for (const { stream, write } of streams) {
    stream.write = ((...piece: Parameters<typeof write>) => {
      pieces.push(String(piece[0]));
      return write.apply(stream, piece);
    }) as typeof write;
  }
  onTestFinished(() => {
    context.log = before;
    for (const { stream, write } of streams) stream.write = write;
  });
  return { text: () => pieces.join("") };
}

/** Every row of every table, as text. */
export async function dump(): Promise<string> {
  expect(await processServices().requestLog.flush(10_000)).toBe(true);
  const tables = await db().query<{ name: string }>(
    "SELECT quote_ident(relname) AS name FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace",
  );
  const rows: string[] = [];
  for (const { name } of tables) {
    const found = await db().query<{ row: string }>(`SELECT t::text AS row FROM ${name} t`);
    rows.push(...found.map(({ row }) => row.replaceAll('""', '"')));
  }
  return rows.join("\n");
}

/** None of the secrets stands there, nor the greater part of one, nor under an escape. */
export function expectNone(secrets: string[], text: string): void {
  const decoded = text.replace(/%([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  for (const secret of secrets) {
    const middle = secret.slice(4, 4 + Math.ceil(secret.length / 2));
    expect(text.includes(middle) || decoded.includes(middle), `${secret.slice(0, 6)}… was found`).toBe(false);
  }
}

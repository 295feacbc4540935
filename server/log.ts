import pino from "pino";
import { env } from "@/server/env";

declare global {
  var almanacLog: pino.Logger | undefined;
}

/** The operators' log: JSON lines on stderr. `log({ room: "http" }).warn({ requestId }, "a sentence")`. */
export function log(bindings: Record<string, unknown> = {}): pino.Logger {
  globalThis.almanacLog ??= pino(
    { level: env().LOG_LEVEL, base: null, serializers: { err: errorFacts } },
    pino.destination({ dest: 2, sync: true }),
  );
  return globalThis.almanacLog.child(bindings);
}

/** What is said of an error. PostgreSQL's messages and details quote the row, so of those only codes, names and frames are. */
export function errorFacts(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error };
  const { code, table, constraint, severity } = error as {
    code?: unknown;
    table?: unknown;
    constraint?: unknown;
    severity?: unknown;
  };
  const frames = (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  const isFromDatabase = severity !== undefined;
  return {
    type: error.name,
    ...(!isFromDatabase && { message: error.message }),
    ...(code !== undefined && { code }),
    ...(isFromDatabase && { table, constraint }),
    stack: frames.join("\n"),
  };
}

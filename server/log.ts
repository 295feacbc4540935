import { hostname } from "node:os";
import pino from "pino";
import { context } from "@/server/context";
import { type Env, env } from "@/server/env";
import { logLines } from "@/server/log-lines";

/** Returns the operators' log, JSON lines on stderr: `log({ module: "http" }).warn({ requestId }, "a sentence")`. */
export function log(bindings: Record<string, unknown> = {}): pino.Logger {
  context.log ??= pino(lineOptions(env()), logLines());
  return context.log.child(bindings);
}

/** Describes what every line has: its level as a word, which process wrote it, and the trace that it belongs to. */
export function lineOptions({ LOG_LEVEL, ALMANAC_ROLE, PORT }: Pick<Env, "LOG_LEVEL" | "ALMANAC_ROLE" | "PORT">) {
  return {
    level: LOG_LEVEL,
    base: { role: ALMANAC_ROLE, instance: `${hostname()}:${PORT}` },
    formatters: { level: (level: string) => ({ level }) },
    mixin: traceOfLine,
    serializers: { err: errorFacts },
  } satisfies pino.LoggerOptions;
}

function traceOfLine(): object {
  const [, traceId] = context.tracing?.current()?.split("-") ?? [];
  return traceId === undefined ? {} : { traceId };
}

/** Selects what a line says of an error. Messages of PostgreSQL and Prisma quote values, so of those only codes, names and frames are logged. */
export function errorFacts(error: unknown): object {
  try {
    return error instanceof Error ? factsOf(error) : { type: typeof error };
  } catch {
    return { type: "unreadable" }; // a getter of somebody's error threw
  }
}

function factsOf(error: Error): object {
  const { code, table, constraint, severity } = error as {
    code?: unknown;
    table?: unknown;
    constraint?: unknown;
    severity?: unknown;
  };
  const frames = (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  const isFromDatabase = severity !== undefined || error.name.startsWith("PrismaClient");
  return {
    type: error.name,
    ...(!isFromDatabase && { message: error.message }),
    ...(code !== undefined && { code }),
    ...(isFromDatabase && { table, constraint }),
    stack: frames.join("\n"),
  };
}

export type Log = (level: "info" | "warn", message: string, facts?: Record<string, string | number>) => void;

export interface OutageLog {
  failed(error: unknown): void;
  recovered(facts?: Record<string, string | number>): void;
  readonly down: boolean;
}

/** Says once that something went down and once that it is back. Only an error's code is logged: its message may quote a URL or a row. */
export function outageLog(log: Log, sentences: { down: string; up: string }): OutageLog {
  let down = false;
  return {
    failed(error) {
      if (down) return;
      down = true;
      log("warn", sentences.down, { error: errorCode(error) });
    },
    recovered(facts) {
      if (!down) return;
      down = false;
      log("info", sentences.up, facts);
    },
    get down() {
      return down;
    },
  };
}

/** Logs an outage as `outageLog` does, in the operators' log as a line of a module. */
export function moduleOutage(module: string, sentences: { down: string; up: string }): OutageLog {
  return outageLog((level, sentence, facts) => log({ module })[level](facts ?? {}, sentence), sentences);
}

function errorCode(error: unknown): string {
  if (typeof error !== "object" || error === null) return "unknown";
  const { code, name } = error as { code?: unknown; name?: unknown };
  const found = typeof code === "string" ? code : name;
  return typeof found === "string" && /^\w{1,40}$/.test(found) ? found : "unknown";
}

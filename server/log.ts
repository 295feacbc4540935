import { destination, type Logger, pino } from "pino";
import { env } from "@/server/env";

let root: Logger | undefined;

/** JSON lines on stderr. `bindings` stand on every line of the logger that it gives. */
export function log(bindings: Record<string, unknown> = {}): Logger {
  root ??= pino({ level: env().LOG_LEVEL, base: null }, destination({ dest: 2, sync: true }));
  return root.child(bindings);
}

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

export function errorCode(error: unknown): string {
  if (typeof error !== "object" || error === null) return "unknown";
  const { code, name } = error as { code?: unknown; name?: unknown };
  const found = typeof code === "string" ? code : name;
  return typeof found === "string" && /^\w{1,40}$/.test(found) ? found : "unknown";
}

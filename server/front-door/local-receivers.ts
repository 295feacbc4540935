import type { Env } from "@/server/env";

/** Where the receivers of `npm run demo` listen. */
export const DEMO_RECEIVER = "http://127.0.0.1:9998";
/** Where the documentation has readers listen, in both spellings, and where the demo does. */
export const LOCAL_RECEIVERS = ["http://127.0.0.1:9999", "http://localhost:9999", DEMO_RECEIVER] as const;

const loopback = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * Returns the receivers on this machine that a start allows although they are not public, where nobody has set
 * CALLBACK_ALLOWED_ORIGINS. It allows them only on somebody's own machine, which is one whose URLs lead to itself and
 * whose database is embedded (ADR 96). An empty value allows none.
 */
export function localReceivers(
  source: Record<string, string | undefined>,
  { DATABASE_URL, BASE_URL, APP_URL }: Pick<Env, "DATABASE_URL" | "BASE_URL" | "APP_URL">,
): string | undefined {
  if (source.CALLBACK_ALLOWED_ORIGINS !== undefined || DATABASE_URL !== undefined) return undefined;
  const isLocal = [BASE_URL, APP_URL].every((url) => loopback.has(new URL(url).hostname));
  return isLocal ? LOCAL_RECEIVERS.join(",") : undefined;
}

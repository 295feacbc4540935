import { Inngest } from "inngest";
import { env } from "@/server/env";
import { log } from "@/server/log";

export const APP_ID = "almanac";
export const SERVE_PATH = "/api/inngest";

/** Reports whether an Inngest server is configured, whether or not it responds. */
export function hasInngestServer(): boolean {
  const { INNGEST_EVENT_KEY, INNGEST_SIGNING_KEY } = env();
  return Boolean(INNGEST_EVENT_KEY && INNGEST_SIGNING_KEY);
}

/** Returns the origin at which the Inngest server calls this process or another worker. */
export function serveOrigin(): string {
  return env().INNGEST_SERVE_ORIGIN ?? env().BASE_URL;
}

/**
 * Returns the client of the Inngest server that is configured; null: the engine of this process runs the functions.
 * Calls must bear the server's signature: the SDK's dev mode, which runs unsigned ones, is never used.
 */
export function inngestClient(): Inngest | null {
  const { INNGEST_BASE_URL, INNGEST_EVENT_KEY, INNGEST_SIGNING_KEY, INNGEST_SIGNING_KEY_FALLBACK } = env();
  if (!INNGEST_EVENT_KEY || !INNGEST_SIGNING_KEY) return null;
  return new Inngest({
    ...{ id: APP_ID, isDev: false, logger: sdkLogger(), aiMetadata: false },
    ...{ eventKey: INNGEST_EVENT_KEY, baseUrl: INNGEST_BASE_URL },
    ...{ signingKey: INNGEST_SIGNING_KEY, signingKeyFallback: INNGEST_SIGNING_KEY_FALLBACK },
  });
}

/** Creates the SDK's logger, which keeps only its sentences: the SDK quotes whole events and errors. */
function sdkLogger() {
  const say = (level: "info" | "warn" | "error" | "debug") => (first: unknown, second?: unknown) => {
    const sentence = [first, second].find((part) => typeof part === "string") ?? "an error without a sentence";
    log({ module: "jobs", by: "inngest" })[level](sentence);
  };
  return { info: say("debug"), warn: say("warn"), error: say("error"), debug: say("debug") };
}

import { randomBytes } from "node:crypto";
import { Inngest } from "inngest";
import { env } from "@/server/env";
import { log } from "@/server/log";

export const APP_ID = "almanac";
export const SERVE_PATH = "/api/inngest";

/** Where the Inngest server calls this process, or another worker. */
export function serveOrigin(): string {
  return env().INNGEST_SERVE_ORIGIN ?? env().BASE_URL;
}

/** How this process's background work is driven. */
export interface Drive {
  /** Inside this process, or by an Inngest server. */
  kind: "embedded" | "inngest";
  signingKey: string;
  client: Inngest;
}

declare global {
  /** What the embedded executor takes events with; the front door and Next are two module graphs, so it is found here. */
  var almanacReceive: ((request: Request) => Promise<Response>) | undefined;
  var almanacSigningKey: string | undefined;
}

/**
 * The client of this process. With INNGEST_EVENT_KEY set events go to that Inngest and calls must bear its signature; else
 * they stay in this process, signed with a key that it makes for itself. Never in the SDK's dev mode, which runs unsigned calls.
 */
export function drive(): Drive {
  const { INNGEST_BASE_URL, INNGEST_EVENT_KEY, INNGEST_SIGNING_KEY, INNGEST_SIGNING_KEY_FALLBACK } = env();
  const logger = log({ module: "jobs" });
  const both = { id: APP_ID, isDev: false, logger: sdkLogger(), aiMetadata: false };
  if (INNGEST_EVENT_KEY && INNGEST_SIGNING_KEY) {
    const signing = { signingKey: INNGEST_SIGNING_KEY, signingKeyFallback: INNGEST_SIGNING_KEY_FALLBACK };
    const keys = { eventKey: INNGEST_EVENT_KEY, ...signing };
    const client = new Inngest({ ...both, ...keys, baseUrl: INNGEST_BASE_URL });
    return { kind: "inngest", signingKey: INNGEST_SIGNING_KEY, client };
  }
  globalThis.almanacSigningKey ??= `signkey-embedded-${randomBytes(32).toString("hex")}`;
  const client = new Inngest({
    ...both,
    eventKey: "embedded",
    signingKey: globalThis.almanacSigningKey,
    baseUrl: "http://embedded.invalid",
    fetch: receive,
  });
  logger.debug("background work runs inside this process");
  return { kind: "embedded", signingKey: globalThis.almanacSigningKey, client };
}

async function receive(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  if (!globalThis.almanacReceive) throw new Error("the executor of this process is not running");
  return await globalThis.almanacReceive(new Request(input, init));
}

/** The SDK quotes whole events and errors: only its sentences are kept. */
function sdkLogger() {
  const say = (level: "info" | "warn" | "error" | "debug") => (first: unknown, second?: unknown) => {
    const sentence = [first, second].find((part) => typeof part === "string") ?? "an error without a sentence";
    log({ module: "jobs", by: "inngest" })[level](sentence);
  };
  return { info: say("debug"), warn: say("warn"), error: say("error"), debug: say("debug") };
}

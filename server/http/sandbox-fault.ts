import { setTimeout as wait } from "node:timers/promises";
import type { Exchange } from "@/server/http/exchange";
import { Refusal } from "@/server/services/refusal";

/** As a request has it, and the response that it had an effect on. */
const HEADER = "svc-sandbox-fault";
const RETRY_AFTER_S = 1;
/** Longer than clients wait. */
export const SLOWEST_MS = 60_000;

export interface SandboxFault {
  /** The write is to be undone as if the provider had refused it. */
  refusesWrites: boolean;
}

export const NO_FAULT: SandboxFault = { refusesWrites: false };

/**
 * What `Svc-Sandbox-Fault` of a request to an application calendar asks for: throws `rate_limited` and `unavailable`, waits for
 * `slow=MILLISECONDS`. The response repeats the header, or says what there is for anything else.
 */
export async function sandboxFault({ request, headers }: Exchange): Promise<SandboxFault> {
  const asked = request.headers.get(HEADER)?.trim();
  if (!asked) return NO_FAULT;
  headers[HEADER] = asked;
  if (asked === "rate_limited") throw new Refusal({ kind: "throttled", retryAfter: RETRY_AFTER_S });
  if (asked === "unavailable") throw new Refusal({ kind: "overloaded", retryAfter: RETRY_AFTER_S });
  if (asked === "write_refused") return { refusesWrites: true };
  const slow = /^slow=(\d{1,6})$/.exec(asked)?.[1];
  if (slow !== undefined && Number(slow) <= SLOWEST_MS) await wait(Number(slow));
  else headers[HEADER] = `unknown: use rate_limited, unavailable, write_refused or slow=0 to slow=${SLOWEST_MS}`;
  return NO_FAULT;
}

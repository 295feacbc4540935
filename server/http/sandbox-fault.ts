import { requestedFaultKey, TOO_MANY_SLOW } from "@/server/domain/requested-faults";
import { VISITORS_APPLICATION } from "@/server/domain/visitors";
import type { Exchange } from "@/server/http/exchange";
import { processServices } from "@/server/http/process-services";
import { MOST_SLEEPERS } from "@/server/http/sleepers";
import { Refusal } from "@/server/services/refusal";
import type { Bearer } from "@/server/store/grants/bearer.sql";

/** As a request has it, and the response that it had an effect on. */
const HEADER = "svc-sandbox-fault";
const RETRY_AFTER_S = 1;
/** Longer than clients wait. */
export const SLOWEST_MS = 60_000;
/** For those who try calls from the documentation, who may be anybody. */
export const SLOWEST_FOR_VISITORS_MS = 5_000;

export interface SandboxFault {
  /** The write is to be undone as if the provider had refused it. */
  refusesWrites: boolean;
  /** The write is to look as if the provider did not have it yet. */
  holdsWrites: boolean;
}

export const NO_FAULT: SandboxFault = { refusesWrites: false, holdsWrites: false };

/**
 * Reads what `Svc-Sandbox-Fault` of a request to an application calendar asks for: throws `rate_limited` and `unavailable`, waits for
 * `slow=MILLISECONDS`. The response repeats the header, or says what there is for anything else; the request log says which fault it was.
 * To be asked before the request has taken anything that others need (ADR 86).
 */
export async function sandboxFault(exchange: Exchange, bearer: Bearer): Promise<SandboxFault> {
  const { request, headers } = exchange;
  const asked = request.headers.get(HEADER)?.trim();
  if (!asked) return NO_FAULT;
  headers[HEADER] = asked;
  const [fault, milliseconds] = readFault(asked);
  if (fault === null) {
    headers[HEADER] =
      `unknown: use rate_limited, unavailable, write_refused, write_pending or slow=0 to slow=${SLOWEST_MS}`;
    return NO_FAULT;
  }
  exchange.errorKey = requestedFaultKey(fault);
  if (fault === "rate_limited") throw new Refusal({ kind: "throttled", retryAfter: RETRY_AFTER_S });
  if (fault === "unavailable") throw new Refusal({ kind: "overloaded", retryAfter: RETRY_AFTER_S });
  if (fault === "slow") await sleep(exchange, bearer, milliseconds);
  return { refusesWrites: fault === "write_refused", holdsWrites: fault === "write_pending" };
}

async function sleep(exchange: Exchange, { applicationId, accountId }: Bearer, milliseconds: number): Promise<void> {
  const { request, headers } = exchange;
  const longest = applicationId === VISITORS_APPLICATION ? SLOWEST_FOR_VISITORS_MS : SLOWEST_MS;
  if (milliseconds > longest) headers[HEADER] = `slow=${longest}`;
  const sleeper = { applicationId, accountId, signal: request.signal };
  if (await processServices().sleepers.sleep(sleeper, Math.min(milliseconds, longest))) return;
  headers[HEADER] = `too many: ${MOST_SLEEPERS.account} requests of an account may be slow at once`;
  exchange.errorKey = TOO_MANY_SLOW;
  throw new Refusal({ kind: "throttled", retryAfter: RETRY_AFTER_S });
}

const named = ["rate_limited", "unavailable", "write_refused", "write_pending"] as const;

function readFault(asked: string): [(typeof named)[number] | "slow" | null, number] {
  const milliseconds = Number(/^slow=(\d{1,6})$/.exec(asked)?.[1] ?? Number.NaN);
  if (milliseconds <= SLOWEST_MS) return ["slow", milliseconds];
  return [named.find((fault) => fault === asked) ?? null, 0];
}

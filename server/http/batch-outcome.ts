import { asker, refuseThrottled } from "@/server/http/caller";
import type { Exchange } from "@/server/http/exchange";
import { logFailure } from "@/server/http/log-failure";
import { processServices } from "@/server/http/process-services";
import { loggedErrorOf, refusalOf, refused } from "@/server/http/responses";
import type { RouteInput } from "@/server/http/routes/route";
import type { BatchOutcome } from "@/server/services/batch/shape";

/** Every write of an event responds so. */
const DONE = 202;

/**
 * Creates what carries out the requests of a batch, one after another: each counts against the limits of its account
 * like a single one. The batch itself was counted already, which is for its first.
 */
export function carriesOut(exchange: Exchange): RouteInput["carryOut"] {
  const { applicant } = asker(exchange);
  const { applicationId, accountId } = applicant;
  let isFirst = true;
  return async (work) => {
    try {
      if (!isFirst && accountId !== null) {
        refuseThrottled(exchange, await processServices().limiter.take({ applicationId, accountId }));
      }
      isFirst = false;
      await work();
      return { status: DONE, headers: {} };
    } catch (error) {
      return failureOf(exchange, error);
    }
  };
}

function failureOf(exchange: Exchange, error: unknown): BatchOutcome {
  const reason = refusalOf(error);
  if (!reason) {
    logFailure(error, "a request of a batch failed", exchange.requestId);
    return { status: 500, headers: {} };
  }
  exchange.errorKey ??= loggedErrorOf(reason);
  const { status, headers, body } = refused(reason, exchange);
  const named = Object.entries(headers).map(([name, value]) => [capitalized(name), value]);
  return { status, headers: Object.fromEntries(named), ...(body !== null && { data: JSON.parse(body) }) };
}

/** Spells a header's name as it usually is: here it is a key. */
function capitalized(name: string): string {
  return name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
}

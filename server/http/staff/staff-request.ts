import { sessionIdOf } from "@/server/auth/session-cookie";
import { clock } from "@/server/clock";
import { db } from "@/server/db/client";
import { parsedUrl } from "@/server/domain/net/parsed-url";
import { env } from "@/server/env";
import { ADDRESS_HEADER, REQUEST_ID_HEADER } from "@/server/http/exchange";
import { processServices } from "@/server/http/process-services";
import { requestId } from "@/server/http/request-id";
import { staffSecrets } from "@/server/http/staff/session-secrets";
import { staffDatabase } from "@/server/http/staff/staff-database";
import { Refusal } from "@/server/services/refusal";
import type { StaffContext } from "@/server/services/staff/procedure/staff-context";
import { signedIn } from "@/server/services/staff/sessions/session";

const reading = new Set(["GET", "HEAD"]);

/** Collects what the staff's procedures need to know of a request; `operator` is null when nobody is signed in. */
export async function staffOf({ headers }: { headers: Headers }): Promise<StaffContext> {
  const now = clock().now();
  const sessionId = await sessionIdOf(headers.get("cookie"), staffSecrets());
  const operator = sessionId ? await signedIn(db(), sessionId, now) : null;
  return {
    db: operator ? staffDatabase(db(), processServices().admission.requests, operator.id) : db(),
    now,
    operator,
    address: headers.get(ADDRESS_HEADER),
    requestId: headers.get(REQUEST_ID_HEADER) ?? requestId(headers.get("svc-request-id")),
    admitCall: operator ? () => admitCalls(operator.id) : undefined,
  };
}

/** Takes so many calls from what an operator may call. Throws `throttled`, as late as Retry-After says (ADR 86). */
export async function admitCalls(operatorId: string, calls = 1): Promise<void> {
  const { limiter, lateRefusals } = processServices();
  const { allowed, retryAfter } = await limiter.staffCalls(operatorId, calls);
  if (allowed) return;
  await lateRefusals.hold(operatorId, retryAfter);
  throw new Refusal({ kind: "throttled", retryAfter });
}

/**
 * Reports whether a page of ours made a request, by what browsers say of it: cookies alone prove nothing.
 * Sec-Fetch-Site comes over https and from localhost; Origin with everything but reads. A read that says neither is let
 * through.
 */
export function sameOrigin({ method, headers }: { method: string; headers: Headers }): boolean {
  const site = headers.get("sec-fetch-site");
  if (site !== null) return site === "same-origin" || (site === "none" && reading.has(method));
  const origin = headers.get("origin");
  if (origin === null) return reading.has(method);
  return origin === env().APP_URL || parsedUrl(origin)?.host === headers.get("host");
}

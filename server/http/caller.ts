import { db } from "@/server/db/client";
import { isAccessToken } from "@/server/db/new-id";
import type { Asker } from "@/server/http/admission/slots";
import { basicCredentials } from "@/server/http/basic-credentials";
import type { Exchange } from "@/server/http/exchange";
import { processServices } from "@/server/http/process-services";
import type { Take } from "@/server/http/rate-limit/buckets";
import type { Served } from "@/server/http/routes/route";
import { authenticate, bearerToken, refuseDisabled } from "@/server/services/bearer";
import { authenticateClient, authenticateSecret } from "@/server/services/grants/client";
import { isRefusal, Refusal } from "@/server/services/refusal";
import type { Client, ClientLimits } from "@/server/services/trpc";
import { bearerOfToken, readerOfToken } from "@/server/store/grants/bearer";
import type { Bearer } from "@/server/store/grants/bearer.sql";
import { shedFor } from "@/server/store/maintenance/maintenance";

/** Whom the Authorization header of a request names: an account, an application, or nobody where the body is to do it. */
export interface Caller {
  bearer: Bearer | null;
  client: Client | null;
}

/** Authenticates a request by its header, as its route wants it, and counts it against the rate limits. */
export async function callerOf(exchange: Exchange, route: Served): Promise<Caller> {
  switch (route.credential) {
    case "client":
    case "none":
      return { bearer: null, client: null };
    case "bearer":
      return { bearer: await admit(exchange, route), client: null };
    case "either":
      return eitherOf(exchange, route);
    default:
      return route.credential satisfies never;
  }
}

/**
 * Reads HTTP Basic as an application, and a Bearer as an account's token or else, unless it has the form of one, as an application's
 * secret, as the vendor's SDKs send it.
 */
async function eitherOf(exchange: Exchange, route: Served): Promise<Caller> {
  const authorization = exchange.request.headers.get("authorization");
  const basic = basicCredentials(authorization);
  if (basic !== null) {
    exchange.usesBasic = true;
    if (basic === "unreadable") throw new Refusal({ kind: "wrong_credentials" });
    return { bearer: null, client: permitted(await authenticateClient(clientContext(exchange), basic)) };
  }
  try {
    return { bearer: await admit(exchange, route), client: null };
  } catch (error) {
    const token = bearerToken(authorization);
    if (token === null || isAccessToken(token) || exchange.isAuthenticated || !isRefusal(error)) throw error;
    const client = await authenticateSecret(clientContext(exchange), token);
    if (client === null) throw error;
    return { bearer: null, client: permitted(client) };
  }
}

function permitted(client: Client | "disabled" | null): Client {
  if (client === "disabled") throw new Refusal({ kind: "wrong_credentials", isDisabled: true });
  if (client === null) throw new Refusal({ kind: "wrong_credentials" });
  return client;
}

function clientContext(exchange: Exchange) {
  return { db: db(), now: exchange.now, limits: clientLimits(exchange) };
}

/** Checks the credential, then both buckets. From here on the response carries the RateLimit headers. */
async function admit(exchange: Exchange, { readsOccurrences = false }: Served): Promise<Bearer> {
  const { request, now } = exchange;
  const lookUp = readsOccurrences ? readerOfToken : bearerOfToken;
  const bearer = await authenticate(db(), lookUp, { authorization: request.headers.get("authorization"), now });
  const { applicationId, accountId, plan, compatibilityMode } = bearer;
  Object.assign(exchange, { applicationId, accountId, isAuthenticated: true, plan, compatibilityMode });
  const taken = processServices().limiter.take({ applicationId, accountId });
  const take = taken instanceof Promise ? await taken : taken;
  refuseThrottled(exchange, take);
  refuseDisabled(bearer); // after the buckets, so that an application that goes on all the same is slowed down
  refuseShed(applicationId, now);
  return bearer;
}

/** Names the request's caller for the queues of admission. */
export function asker({ applicationId, accountId, request }: Exchange): Asker {
  const writes = request.method !== "GET" && request.method !== "HEAD";
  return { applicant: { applicationId: applicationId ?? "", accountId, writes }, client: request };
}

/** Builds the limits for whoever checks client credentials (ADR 90). */
export function clientLimits(exchange: Exchange): ClientLimits {
  const { limiter } = processServices();
  const address = exchange.address ?? "";
  return {
    beforeSecret: async (clientId) => refuse(await limiter.wrongCredentials.allowed(clientId, address)),
    rightSecret: (clientId) => limiter.wrongCredentials.know(clientId, address),
    wrongSecret: async (clientId) => {
      await limiter.wrongCredentials.charge(clientId, address);
    },
    application: (application) => countApplication(exchange, application, { shows: true }),
    publicClient: async ({ id, plan, compatibilityMode }) => {
      // Nobody showed a credential: it is logged as a stranger's request about the application.
      Object.assign(exchange, { applicationId: id, plan, compatibilityMode });
      refuse(await limiter.publicClient(id, address));
      refuseShed(id, exchange.now);
    },
    registration: async () => refuse(await limiter.registration(address)),
  };
}

/** Counts a request with client credentials against its application. Throws `throttled`. */
export async function countApplication(
  exchange: Exchange,
  { id, plan, compatibilityMode }: Client,
  { shows = false } = {},
): Promise<void> {
  Object.assign(exchange, { applicationId: id, isAuthenticated: true, plan, compatibilityMode });
  const take = await processServices().limiter.takeApplication(id);
  if (shows) refuseThrottled(exchange, take);
  else refuse(take);
  refuseShed(id, exchange.now);
}

/** Refuses the requests of an application that staff have shed. Throws `maintenance` (ADR 126). */
export function refuseShed(applicationId: string, now: number): void {
  const retryAfter = shedFor(applicationId, now);
  if (retryAfter !== null) throw new Refusal({ kind: "maintenance", scope: "application", retryAfter });
}

/** Shows in the response what is left of the limits. Throws `throttled` if nothing was. */
export function refuseThrottled(exchange: Exchange, take: Take): void {
  exchange.headers["ratelimit-limit"] = String(take.limit);
  exchange.headers["ratelimit-remaining"] = String(take.remaining);
  exchange.headers["ratelimit-reset"] = String(take.reset);
  refuse(take);
}

function refuse(take: Take): void {
  if (!take.allowed) throw new Refusal({ kind: "throttled", retryAfter: take.retryAfter });
}

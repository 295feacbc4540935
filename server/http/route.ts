import { db } from "@/server/db/client";
import { env } from "@/server/env";
import { type AdmissionSlots, places } from "@/server/http/admission/places";
import type { Applicant } from "@/server/http/admission/queue-slot";
import { type Answer, empty, json, refusalOf, refused } from "@/server/http/answer";
import { closeExchange, type Exchange, openExchange } from "@/server/http/exchange";
import { processServices } from "@/server/http/process-services";
import type { Take } from "@/server/http/rate-limit/buckets";
import { readBody, unreadableSentence } from "@/server/http/read-body";
import { readQuery } from "@/server/http/read-query";
import { loggable } from "@/server/http/redact-secrets";
import { log } from "@/server/log";
import { type ApiCaller, apiCaller } from "@/server/services/api";
import { authenticate, type Bearer } from "@/server/services/bearer";
import { invalid, oauthRefusal, Refusal } from "@/server/services/refusal";
import type { ClientLimits } from "@/server/services/trpc";

/** What an endpoint asks of its caller, and which procedure answers. The order of a request is here, once (house.md, "Floors"). */
export interface Handler {
  /** A bearer token in the header; or client id and secret in the body, which the procedure checks. */
  credential: "bearer" | "client";
  /** Left out: a body is ignored. */
  body?: { limit: number; form?: boolean; unreadable?: "invalid_json" | "invalid_request" };
  call(api: ApiCaller, input: Input): Promise<unknown>;
  /** 200 with what the procedure gave, 200 with nothing, or 202 with nothing. */
  answer: "json" | "done" | "accepted";
}

export interface Input {
  query: Record<string, string | string[]>;
  body: Record<string, unknown>;
  params: Record<string, string>;
}

type Params = { params: Promise<Record<string, string | string[] | undefined>> };
type Method = (request: Request, context: Params) => Promise<Response>;

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"] as const;
type MethodName = (typeof methods)[number];

/** The exports of a route.ts: the given methods, HEAD beside GET, and 405 with Allow for every other. Nothing allowed: 404. */
export function endpoint(
  handlers: Partial<Record<MethodName, Handler>>,
  allow = allowed(handlers),
): Record<MethodName, Method> {
  const known = { ...handlers, ...(handlers.GET && { HEAD: handlers.GET }) };
  const method = (name: MethodName): Method => {
    const handler = known[name];
    const missing = allow === "" ? empty(404) : empty(405, { allow });
    return async (request, { params }) => {
      const exchange = openExchange(request);
      return closeExchange(exchange, handler ? await attempt(exchange, handler, await params) : missing);
    };
  };
  return Object.fromEntries(methods.map((name) => [name, method(name)])) as Record<MethodName, Method>;
}

function allowed(handlers: object): string {
  return Object.keys(handlers)
    .map((name) => (name === "GET" ? "GET, HEAD" : name))
    .join(", ");
}

async function attempt(exchange: Exchange, handler: Handler, params: object): Promise<Answer> {
  const held = places();
  try {
    return await run(exchange, handler, { params: params as Record<string, string>, held });
  } catch (error) {
    const reason = refusalOf(error);
    if (reason) return refused(reason, exchange);
    log({ room: "http" }).error({ requestId: loggable(exchange.requestId), err: cause(error) }, "a request failed");
    return empty(500);
  } finally {
    held.leave();
  }
}

/** In bytes. What a response has more counts as read in bulk, twice: pages of usual events are never that long. */
const ORDINARY_RESPONSE = 500_000;

interface Run {
  params: Record<string, string>;
  held: AdmissionSlots;
}

async function run(exchange: Exchange, handler: Handler, { params, held }: Run): Promise<Answer> {
  const bearer = handler.credential === "bearer" ? await admit(exchange) : null;
  const body = handler.body ? await bodyOf(exchange, handler.body, held) : {};
  if (body === "too_large") return empty(413);
  if (bearer) await held.enter(processServices().admission.requests, applicant(exchange));
  const { BASE_URL, CALLBACK_ALLOWED_ORIGINS, WIRE_NAMES } = env();
  const api = apiCaller({
    db: db().counting((rows) => held.used({ rows })),
    now: exchange.now,
    names: WIRE_NAMES,
    baseUrl: BASE_URL,
    callbackOrigins: CALLBACK_ALLOWED_ORIGINS,
    bearer,
    limits: clientLimits(exchange, held),
  });
  const query = readQuery(exchange.url.searchParams, exchange.compatibilityMode);
  const result = await handler.call(api, { query, body, params });
  if (handler.answer === "json") {
    const answer = json(200, result);
    held.used({ bytes: 2 * Math.max(0, (answer.body?.length ?? 0) - ORDINARY_RESPONSE) });
    return answer;
  }
  return empty(handler.answer === "done" ? 200 : 202);
}

/** Credential, then both buckets. From here on the answer carries the RateLimit headers. */
async function admit(exchange: Exchange): Promise<Bearer> {
  const bearer = await authenticate(db(), exchange.request.headers.get("authorization"), exchange.now);
  const { applicationId, accountId, plan, compatibilityMode } = bearer;
  Object.assign(exchange, { applicationId, accountId, isAuthenticated: true, plan, compatibilityMode });
  const taken = processServices().limiter.take({ applicationId, accountId });
  const take = taken instanceof Promise ? await taken : taken;
  exchange.headers["ratelimit-limit"] = String(take.limit);
  exchange.headers["ratelimit-remaining"] = String(take.remaining);
  exchange.headers["ratelimit-reset"] = String(take.reset);
  refuseThrottled(take);
  return bearer;
}

function applicant({ applicationId, accountId, request }: Exchange): Applicant {
  return {
    applicationId: applicationId ?? "",
    accountId,
    writes: request.method !== "GET" && request.method !== "HEAD",
  };
}

async function bodyOf(
  exchange: Exchange,
  asked: NonNullable<Handler["body"]>,
  held: AdmissionSlots,
): Promise<Record<string, unknown> | "too_large"> {
  const whenLarge = () => held.enter(processServices().admission.largeBodies, applicant(exchange));
  const read = await readBody(exchange.request, { ...asked, whenLarge });
  if (read.kind === "too_large") return "too_large";
  if (read.kind === "read") {
    exchange.body = { value: read.value, bytes: read.length };
    return read.value;
  }
  const description = unreadableSentence(read.reason, asked.form);
  if (asked.unreadable === "invalid_request") throw oauthRefusal("invalid_request", description);
  throw invalid({ path: [], key: "errors.invalid_json", description });
}

/** What procedures that check client credentials themselves are limited by (decisions.md, "Rate limits"). */
function clientLimits(exchange: Exchange, held: AdmissionSlots): ClientLimits {
  const { limiter } = processServices();
  const address = exchange.address ?? "";
  return {
    beforeSecret: async (clientId) => refuseThrottled(await limiter.wrongCredentials.allowed(clientId, address)),
    rightSecret: (clientId) => limiter.wrongCredentials.know(clientId, address),
    wrongSecret: async (clientId) => {
      await limiter.wrongCredentials.charge(clientId, address);
    },
    application: async ({ id, plan, compatibilityMode }) => {
      Object.assign(exchange, { applicationId: id, isAuthenticated: true, plan, compatibilityMode });
      refuseThrottled(await limiter.takeApplication(id));
      await held.enter(processServices().admission.requests, applicant(exchange));
    },
  };
}

function refuseThrottled(take: Take): void {
  if (!take.allowed) throw new Refusal({ kind: "throttled", retryAfter: take.retryAfter });
}

function cause(error: unknown): unknown {
  return error instanceof Error && error.cause instanceof Error ? error.cause : error;
}

import { db } from "@/server/db/client";
import { differs } from "@/server/domain/compat";
import { VISITOR_BODY, VISITORS_APPLICATION } from "@/server/domain/visitors";
import { env } from "@/server/env";
import { type AdmissionSlots, admissionSlots, bulkBytes } from "@/server/http/admission/slots";
import type { ApiRequest } from "@/server/http/api-request";
import { withBasic } from "@/server/http/basic-credentials";
import { carriesOut } from "@/server/http/batch-outcome";
import { asker, callerOf, clientLimits, countApplication } from "@/server/http/caller";
import { closedCompressed, headersOfWeb } from "@/server/http/compressed-response";
import { INFLATED, readEncodedBody } from "@/server/http/encoded-body";
import { closedExchange, type Exchange, openExchange } from "@/server/http/exchange";
import { logFailure } from "@/server/http/log-failure";
import { processServices } from "@/server/http/process-services";
import { type BodyAdmission, unreadableSentence } from "@/server/http/read-body";
import { readQuery } from "@/server/http/read-query";
import {
  bodyOfWeb,
  bytesOf,
  empty,
  loggedErrorOf,
  nothingThere,
  refusalOf,
  refused,
  responseOf,
  type SentResponse,
  type Success,
  unlessKnown,
} from "@/server/http/responses";
import type { RouteBody, RouteInput, Served } from "@/server/http/routes/route";
import { NO_FAULT, sandboxFault } from "@/server/http/sandbox-fault";
import { meters } from "@/server/meters";
import { type ApiCaller, apiCaller } from "@/server/services/api";
import { invalid, oauthRefusal, type Reason } from "@/server/services/refusal";
import { readOnlyFor } from "@/server/store/maintenance/maintenance";
import { type Tracing, tracing } from "@/server/tracing";

type Params = { params: Promise<Record<string, string | string[] | undefined>> };
type Method = ((request: Request, context: Params) => Promise<Response>) & { direct: DirectMethod };
/** The same without a web Request and a web Response: together they cost as much as a small request's own work. */
export type DirectMethod = (request: ApiRequest, params: object) => Promise<SentResponse>;

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"] as const;
type MethodName = (typeof methods)[number];

/** A route with what its handler needs to know of its responses. */
interface Handler {
  route: Served;
  success: Success;
  /** Reads show no secret: what creates one is a POST. A strong entity tag is of one coding alone. */
  isCompressed: boolean;
}

/**
 * Builds the exports of a route.ts, and with them the order of every request: the methods of its routes, HEAD beside
 * GET, and 405 with Allow for every other method. If nothing is allowed, the response is a 404 with JSON.
 */
export function endpoint(routes: readonly Served[], allow = allowed(routes)): Record<MethodName, Method> {
  const handlers = new Map(routes.map((route) => [route.method.toUpperCase(), handlerOf(route)]));
  const method = (name: MethodName): Method => {
    const handler = handlers.get(name === "HEAD" ? "GET" : name);
    const missing = allow === "" ? nothingThere() : empty(405, { allow });
    const direct: DirectMethod = async (request, params) => {
      const exchange = openExchange(request);
      if (!handler) return closedExchange(exchange, missing);
      const response = await attempt(exchange, handler, params);
      return handler.isCompressed ? closedCompressed(exchange, response) : closedExchange(exchange, response);
    };
    const onTheWeb = async (request: Request, context: Params) => {
      const { status, headers, body } = await direct(request, await context.params);
      return new Response(bodyOfWeb(body), { status, headers: headersOfWeb(headers) });
    };
    return Object.assign(onTheWeb, { direct });
  };
  return Object.fromEntries(methods.map((name) => [name, method(name)])) as Record<MethodName, Method>;
}

function allowed(routes: readonly Served[]): string {
  return routes.map(({ method }) => (method === "get" ? "GET, HEAD" : method.toUpperCase())).join(", ");
}

function handlerOf(route: Served): Handler {
  const isRead = route.method === "get" && route.credential !== "client";
  return { route, success: successOf(route), isCompressed: isRead && !route.isConditional };
}

function successOf({ id, responses }: Served): Success {
  const status = Object.keys(responses)
    .map(Number)
    .find((status) => status < 300);
  if (status === undefined) throw new Error(`${id} names no response to a request that succeeds`);
  const { schema, emptyType } = responses[status] ?? {};
  return { status, isJson: schema !== undefined, headers: emptyType ? { "content-type": emptyType } : {} };
}

async function attempt(exchange: Exchange, handler: Handler, params: object): Promise<SentResponse> {
  const held = admissionSlots();
  try {
    return await run(exchange, handler, { params: params as Record<string, string>, held });
  } catch (error) {
    const reason = refusalOf(error);
    if (reason) {
      countMaintenance(exchange, reason);
      exchange.errorKey = loggedErrorOf(reason) ?? exchange.errorKey;
      return refused(reason, exchange);
    }
    logFailure(error, "a request failed", exchange.requestId);
    return empty(500);
  } finally {
    held.leave();
  }
}

/** Counts what maintenance refuses, so that it is not taken for a failure (ADR 126). */
export function countMaintenance({ url }: Exchange, reason: Reason): void {
  if (reason.kind !== "maintenance") return;
  meters()?.refusedForMaintenance({ scope: reason.scope, api: url.pathname.startsWith("/v1/") ? "v1" : "other" });
}

interface Run {
  params: Record<string, string>;
  held: AdmissionSlots;
}

async function run(exchange: Exchange, { route, success }: Handler, { params, held }: Run): Promise<SentResponse> {
  if (route.resourceMetadata) exchange.resourceMetadata = env().BASE_URL + route.resourceMetadata;
  const { bearer, client } = await callerOf(exchange, route);
  const { BASE_URL, CALLBACK_ALLOWED_ORIGINS, SANDBOX, WIRE_NAMES } = env();
  const isOn = SANDBOX === "on";
  const isSandboxed = isOn && bearer?.kind === "application_calendar";
  const fault = isSandboxed ? await sandboxFault(exchange, bearer) : NO_FAULT;
  const limited = bearer?.applicationId === VISITORS_APPLICATION ? { limit: VISITOR_BODY } : {};
  const isOAuth = !route.errors;
  const read = route.body ? await bodyOf(exchange, { isOAuth, ...route.body, ...limited }, held) : {};
  if (read === "too_large") return empty(413);
  if (read === "encoded") return empty(415, { "accept-encoding": INFLATED });
  if (route.loggedBody) keepLittle(exchange, route.loggedBody(read));
  const body = route.credential === "client" ? withBasic(exchange, read, { isOAuth }) : read;
  if (bearer || client) await held.enter(processServices().admission.requests, asker(exchange));
  const limits = clientLimits(exchange);
  const api = apiCaller({
    db: db().counting((rows) => held.used({ rows })),
    now: exchange.now,
    names: WIRE_NAMES,
    baseUrl: BASE_URL,
    callbackOrigins: CALLBACK_ALLOWED_ORIGINS,
    sandbox: { isOn, ...fault },
    bearer,
    client,
    readOnlyFor: readOnlyFor(exchange.now),
    limits: {
      ...limits,
      application: async (application) => {
        await countApplication(exchange, application);
        await held.enter(processServices().admission.requests, asker(exchange));
      },
      publicClient: async (application) => {
        await limits.publicClient(application);
        await held.enter(processServices().admission.requests, asker(exchange));
      },
    },
  });
  const { headers } = exchange.request;
  const input = {
    query: queryOf(exchange),
    body,
    params,
    ifMatch: headers.get("if-match"),
    headers,
    carryOut: carriesOut(exchange),
  };
  const trace = tracing();
  const result = trace ? await tracedCall(trace, route, { api, input }) : await route.call(api, input);
  const response = responseOf(success, result);
  if (response.body !== null) held.used({ bytes: bulkBytes(bytesOf(response.body)) });
  return route.method === "get" ? unlessKnown(response, headers.get("if-none-match")) : response;
}

/** Has the request log keep a body's summary, and of the response its size. */
function keepLittle(exchange: Exchange, summary: unknown): void {
  const bytes = exchange.body && "bytes" in exchange.body ? exchange.body.bytes : 0;
  exchange.body = { value: summary, bytes };
  exchange.hidesResponse = true;
}

/** Calls the procedure as a span of the request. A refusal is an answer, not a fault. */
function tracedCall(trace: Tracing, route: Served, { api, input }: { api: ApiCaller; input: RouteInput }) {
  const isFault = (error: unknown) => refusalOf(error) === null;
  return trace.within({ name: route.id, kind: "internal", isFault }, () => route.call(api, input));
}

async function bodyOf(
  exchange: Exchange,
  { limit, form, fromQuery, isOAuth }: Omit<RouteBody, "schema"> & { isOAuth: boolean },
  held: AdmissionSlots,
): Promise<Record<string, unknown> | "too_large" | "encoded"> {
  const read = await readEncodedBody(exchange.request, { limit, form, admission: bodyAdmission(exchange, held) });
  if (read.kind === "too_large" || read.kind === "encoded") return read.kind;
  if (read.kind === "read") {
    exchange.body = { value: read.value, bytes: read.length };
    return read.value;
  }
  const isMissing = exchange.request.body === null || read.reason === "empty";
  const body = isMissing && fromQuery?.(queryOf(exchange));
  if (body) return body;
  const description = unreadableSentence(read.reason, form);
  if (isOAuth) throw oauthRefusal("invalid_request", description);
  throw invalid({ path: [], key: "errors.invalid_json", description });
}

/**
 * Admits the request's body, which is held until the response. Its slot is for parsing alone, which no client can delay
 * (ADR 86).
 */
function bodyAdmission(exchange: Exchange, held: AdmissionSlots): BodyAdmission {
  const { bodies, largeBodies } = processServices().admission;
  return {
    hold: (giveUp) => held.keeping(bodies.begin(exchange.applicationId ?? "", giveUp)),
    inTurn: (parse) => held.within(largeBodies, asker(exchange), parse),
  };
}

function queryOf(exchange: Exchange): RouteInput["query"] {
  return readQuery(exchange.url.searchParams, differs("readsBooleansInAnyCase", exchange));
}

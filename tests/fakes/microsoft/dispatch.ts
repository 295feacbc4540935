import { authorize } from "./authorize";
import { batch } from "./batch";
import { accountFor, callerOf } from "./callers";
import { invalidUser, knownErrors, MicrosoftError, type WireResponse } from "./errors";
import { type FaultInput, type FaultQueue, faultResponse } from "./faults";
import type { Grants } from "./grants";
import { callGraph, isOfMailbox, userIn } from "./graph-api";
import type { SigningKeys } from "./keys";
import { discovery, logout, userinfo } from "./openid";
import { decodedPath, type WireRequest } from "./request";
import type { Account, World } from "./state";
import { settle } from "./store";
import type { SubscriptionStore } from "./subscriptions";
import { issuerOf, TENANT } from "./tenants";
import type { Throttle } from "./throttle";
import { token } from "./tokens";

/** One line of the log of requests. */
export interface LoggedRequest {
  method: string;
  /** Without the query, decoded. */
  path: string;
  query: Record<string, string>;
  authorized: boolean;
  ifMatch: string | undefined;
  prefer: string | undefined;
  body: string;
  /** A part of a batch, which has a line of its own. */
  isPart: boolean;
  /** The status of the response; null while there is none, and when the connection was broken. */
  status: number | null;
}

export interface Parts {
  world: World;
  grants: Grants;
  keys: SigningKeys;
  faults: FaultQueue;
  throttle: Throttle;
  subscriptions: SubscriptionStore;
  requests: LoggedRequest[];
}

/** Handles every request of the fake: logs it, gives it a place of its mailbox, meets it with the planned fault, and does the work. */
export function dispatcher(parts: Parts): (request: WireRequest) => Promise<WireResponse | undefined> {
  const { world, faults, throttle, requests } = parts;

  async function handle(request: WireRequest): Promise<WireResponse | undefined> {
    const line = logged(request);
    requests.push(line);
    const account = mailboxOf(parts, request);
    const refused = account && throttle.enter(account, request.method, line.path);
    try {
      const response = refused ? refused.response : await underFault(request);
      line.status = response?.status ?? null;
      const retryAfter = response?.headers?.["retry-after"];
      if (account && retryAfter !== undefined) throttle.wait(account, retryAfter);
      return response;
    } finally {
      if (account) throttle.leave(account);
    }
  }

  async function underFault(request: WireRequest): Promise<WireResponse | undefined> {
    const fault = faults.take(request.method, request.url);
    await delayed(fault, isOfMailbox(request.url.pathname) ? world.knobs.latency : 0);
    const instead = fault && faultResponse(fault);
    const replaces = instead !== undefined || fault?.breakConnection === true;
    if (replaces && !fault?.afterWork) return instead;
    const response = await routed(parts, request, handle);
    return replaces ? instead : response;
  }

  return handle;
}

const isGraph = ({ url }: WireRequest) => url.pathname.startsWith("/v1.0/");

/** The mailbox that a request is for; undefined for one without a valid token, which Exchange never sees. */
function mailboxOf({ world, grants }: Parts, request: WireRequest): Account | undefined {
  if (!isOfMailbox(request.url.pathname)) return undefined;
  try {
    const caller = callerOf(world, grants, request);
    return caller.account ?? accountFor(world, caller, userIn(request.url.pathname), invalidUser);
  } catch {
    return undefined;
  }
}

async function delayed(fault: FaultInput | undefined, latency: number): Promise<void> {
  const delay = latency + (fault?.delay ?? 0);
  if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay));
  await fault?.until;
  fault?.run?.();
}

async function routed(
  parts: Parts,
  request: WireRequest,
  handle: (part: WireRequest) => Promise<WireResponse | undefined>,
): Promise<WireResponse> {
  try {
    return isGraph(request) ? await graph(parts, request, handle) : signIn(parts, request);
  } catch (error) {
    if (error instanceof MicrosoftError) return error.response;
    if (error instanceof URIError) return knownErrors.itemNotFound().response;
    throw error;
  }
}

async function graph(
  { world, grants, subscriptions }: Parts,
  request: WireRequest,
  handle: (part: WireRequest) => Promise<WireResponse | undefined>,
): Promise<WireResponse> {
  settle(world);
  if (request.method === "POST" && request.url.pathname === "/v1.0/$batch" && !request.isPart) {
    callerOf(world, grants, request);
    return await batch(request, handle);
  }
  return await callGraph(world, subscriptions, request, callerOf(world, grants, request));
}

/** The paths of the sign-in service. */
function signIn({ world, grants, keys }: Parts, request: WireRequest): WireResponse {
  const route = `${request.method} ${request.url.pathname}`;
  const tenant = new RegExp(`^\\w+ /${TENANT}/`, "i").exec(route)?.[1]?.toLowerCase() ?? "";
  const rest = route.replace(`/${tenant}`, "");
  if (route.endsWith(" /oidc/userinfo")) return userinfo(world, grants, request);
  if (tenant === "") throw knownErrors.itemNotFound();
  if (rest === "GET /v2.0/.well-known/openid-configuration")
    return { status: 200, body: discovery(world.origin, tenant) };
  if (rest === "GET /discovery/v2.0/keys") return { status: 200, body: keys.keySet(issuerOf(world.origin, tenant)) };
  if (/^(GET|POST) \/oauth2\/v2\.0\/authorize$/.test(rest)) return authorize(world, grants, request, tenant);
  if (rest === "POST /oauth2/v2.0/token") return token({ world, grants, keys }, request, tenant);
  if (/^(GET|POST) \/oauth2\/v2\.0\/logout$/.test(rest)) return logout(request);
  throw knownErrors.itemNotFound();
}

function logged({ method, url, query, headers, body, isPart }: WireRequest): LoggedRequest {
  const prefer = [headers.prefer ?? []].flat().join(", ");
  return {
    method,
    path: decodedPath(url),
    query: Object.fromEntries(query),
    authorized: headers.authorization !== undefined,
    ifMatch: headers["if-match"],
    prefer: prefer === "" ? undefined : prefer,
    body,
    isPart: isPart ?? false,
    status: null,
  };
}

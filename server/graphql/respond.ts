import { graphiqlPage } from "@/server/graphql/graphiql";
import { refusalCode } from "@/server/graphql/refusal-error";
import { yoga } from "@/server/graphql/yoga";
import { longestWait, type Reason } from "@/server/services/refusal";
import { sentenceOf } from "@/server/services/staff/procedure/error-shape";
import type { StaffContext } from "@/server/services/staff/procedure/staff-context";

/** The route's knowledge about a request. */
export interface RouteContext {
  /** Whether a page of ours sent it, as far as browsers say. */
  isOurs: boolean;
  staff(): Promise<StaffContext>;
  signInPath: string;
  /** Redacts tokens for the log. */
  loggable(text: string): string;
}

const description = "send the operation as application/json";
const unreadable: Reason = { kind: "invalid", issues: [{ path: [], key: "errors.invalid", description }] };
const JSON_TYPE = /^application\/(graphql-response\+)?json *(;|$)/i;

/**
 * Responds to an operator: with the editor to a browser that opens the address, and with GraphQL over HTTP otherwise.
 */
export async function graphqlResponse(request: Request, context: RouteContext): Promise<Response> {
  if (isNavigation(request)) return openEditor(context);
  if (!context.isOurs || !isUnforgeable(request)) {
    return refused(403, { kind: "forbidden", text: "Only the dashboard can call this." });
  }
  if (request.method === "POST" && !isJson(request)) {
    return refused(415, unreadable);
  }
  const staff = await context.staff();
  if (!staff.operator) {
    return refused(401, { kind: "signed_out", error: "invalid_request", description: "Sign in first" });
  }
  const reasons: Reason[] = [];
  const note = (reason: Reason) => void reasons.push(reason);
  const result = await yoga.fetch(request, { staff, loggedId: context.loggable(staff.requestId), note });
  const headers = new Headers(result.headers);
  const wait = longestWait(reasons);
  if (wait !== null) headers.set("retry-after", String(wait));
  headers.set("cache-control", "no-store");
  headers.set("x-content-type-options", "nosniff");
  return new Response(result.body, { status: result.status, headers });
}

async function openEditor({ staff, signInPath }: RouteContext): Promise<Response> {
  const { operator } = await staff();
  if (operator) return graphiqlPage();
  return new Response(null, { status: 303, headers: { location: signInPath, "cache-control": "no-store" } });
}

function isNavigation({ method, headers }: Request): boolean {
  return method === "GET" && (headers.get("accept") ?? "").includes("text/html");
}

/**
 * Checks that no other page can send the request: browsers that don't say where a read comes from would send one for
 * any page, but a JSON content type only for ours.
 */
function isUnforgeable(request: Request): boolean {
  return request.headers.get("sec-fetch-site") === "same-origin" || isJson(request);
}

function isJson({ headers }: Request): boolean {
  return JSON_TYPE.test(headers.get("content-type") ?? "");
}

function refused(status: number, reason: Reason): Response {
  const errors = [{ message: sentenceOf(reason), extensions: { code: refusalCode(reason) } }];
  return Response.json({ errors }, { status, headers: { "cache-control": "no-store" } });
}

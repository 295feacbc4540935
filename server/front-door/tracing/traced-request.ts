import type { ServerResponse } from "node:http";
import { REQUEST_ID } from "@/server/front-door/arrival";
import type { Running } from "@/server/front-door/unread";
import type { Tracing } from "@/server/tracing";

/** A balancer asks every few seconds. */
const PROBE = /^\/health(?:\/|\?|$)/;
/** Of a path that nobody knows. */
const OTHER = "other";

/** Serves a request within a span that ends when the response is sent. A caller's traceparent is taken up. The path, the query and the client's address are left out: they may hold a token, and the request's id leads to them. */
export async function tracedRequest(
  trace: Tracing,
  { about, res }: { about: Running; res: ServerResponse },
  serve: () => Promise<void>,
): Promise<void> {
  const { req } = about;
  if (PROBE.test(req.url ?? "")) return serve();
  const { traceparent } = req.headers;
  const parent = typeof traceparent === "string" ? traceparent : null;
  await trace.within({ name: "request", kind: "server", parent }, async (span) => {
    await serve();
    const method = req.method ?? "";
    const route = routeOf(about.endpoint);
    span.rename(route === undefined ? method : `${method} ${route}`);
    span.set({
      "http.request.method": method,
      "almanac.request_id": String(res.getHeader(REQUEST_ID)),
      ...(route !== undefined && { "http.route": route }),
      ...(res.headersSent && { "http.response.status_code": res.statusCode }),
    });
    if (!res.headersSent) span.fail("client_left");
    else if (res.statusCode >= 500) span.fail(String(res.statusCode));
  });
}

/** Spells the parameters of a route as OpenTelemetry does. */
function routeOf(endpoint: string | undefined): string | undefined {
  if (endpoint === undefined || endpoint === OTHER) return undefined;
  return endpoint.replace(/\[+(?:\.\.\.)?(\w+)\]+/g, "{$1}");
}

/** The routes of the API that the request log names, as the OpenAPI document writes them. */
export const endpoints = [
  "/mcp",
  "/oauth/authorize",
  "/oauth/register",
  "/oauth/token",
  "/oauth/token/revoke",
  "/v1/account",
  "/v1/application_calendars",
  "/v1/availability",
  "/v1/batch",
  "/v1/bookings",
  "/v1/bookings/{booking_id}",
  "/v1/bookings/{booking_id}/confirm",
  "/v1/calendars",
  "/v1/calendars/{calendar_id}/events",
  "/v1/calendars/{calendar_id}/events/occurrences",
  "/v1/calendars/{calendar_id}/events/{event_id}/receipt",
  "/v1/calendars/{calendar_id}/events/{event_uid}/participation_status",
  "/v1/calendars/{calendar_id}/feeds",
  "/v1/calendars/{calendar_id}/feeds/{feed_id}",
  "/v1/changes",
  "/v1/channels",
  "/v1/channels/{channel_id}",
  "/v1/channels/{channel_id}/delivery",
  "/v1/channels/{channel_id}/test",
  "/v1/events",
  "/v1/events/{event_uid}",
  "/v1/free_busy",
  "/v1/link_tokens",
  "/v1/profiles",
  "/v1/profiles/import",
  "/v1/profiles/{profile_id}/reconnect_links",
  "/v1/profiles/{profile_id}/status",
  "/v1/resources",
  "/v1/sandbox/changes",
  "/v1/service_account_authorizations",
  "/v1/subscriptions",
  "/v1/subscriptions/{calendar_id}",
  "/v1/triggers",
  "/v1/triggers/{trigger_id}",
  "/v1/userinfo",
  "/v1/writes",
] as const;

export type Endpoint = (typeof endpoints)[number];

/** Endpoints that read, although they are called with POST. */
const readByPost: ReadonlySet<string | null> = new Set<Endpoint>(["/v1/availability"]);

/** Reports whether a request changes nothing, whatever its response. */
export function isRead({ method, endpoint }: { method: string; endpoint: string | null }): boolean {
  return method === "GET" || method === "HEAD" || readByPost.has(endpoint);
}

const patterns = endpoints.map((endpoint) => ({ endpoint, segments: segmentsOf(endpoint) }));
const plain = new Set<string>(endpoints.filter((endpoint) => !endpoint.includes("{")));

/** Finds the route of a pathname (percent-encoded, without the query), or null if the API has none. */
export function endpointOf(path: string): Endpoint | null {
  if (plain.has(path)) return path as Endpoint;
  const segments = segmentsOf(path);
  return (
    patterns.find((one) => one.segments.length === segments.length && fits(one.segments, segments))?.endpoint ?? null
  );
}

/** Finds the routes at or below a path that may be incomplete: `/v1/calendars/cal_1` matches the two for its events. */
export function endpointsUnder(path: string): Endpoint[] {
  const segments = segmentsOf(path);
  return patterns.filter((one) => fits(one.segments, segments)).map(({ endpoint }) => endpoint);
}

/** Returns the id in a path: the third segment of every route that has one. */
export function idInPath(path: string): string | null {
  const isNamed = endpointsUnder(path).some((endpoint) => endpoint.includes("{"));
  return isNamed ? (segmentsOf(path)[2] ?? null) : null;
}

function fits(pattern: readonly string[], segments: readonly string[]): boolean {
  return (
    segments.length <= pattern.length &&
    segments.every((segment, i) => pattern[i]?.startsWith("{") || pattern[i] === segment)
  );
}

function segmentsOf(path: string): string[] {
  return path.split("/").filter((segment) => segment !== "");
}

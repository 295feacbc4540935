/** The routes of the API that the request log names, as the OpenAPI document writes them. */
export const endpoints = [
  "/oauth/authorize",
  "/oauth/token",
  "/oauth/token/revoke",
  "/v1/account",
  "/v1/application_calendars",
  "/v1/calendars",
  "/v1/calendars/{calendar_id}/events",
  "/v1/calendars/{calendar_id}/events/occurrences",
  "/v1/channels",
  "/v1/channels/{channel_id}",
  "/v1/channels/{channel_id}/test",
  "/v1/events",
  "/v1/free_busy",
  "/v1/link_tokens",
  "/v1/profiles",
  "/v1/sandbox/changes",
  "/v1/userinfo",
] as const;

export type Endpoint = (typeof endpoints)[number];

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

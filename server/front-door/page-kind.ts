/** What Next serves, by how its paths begin. */
const kinds = [
  ...[
    "/dashboard",
    "/docs",
    "/oauth/authorize",
    "/oauth/callback",
    "/hooks",
    "/api/trpc",
    "/api/auth",
    "/api/graphql",
    "/api/docs",
  ],
  ...[
    "/fonts",
    "/openapi.json",
    "/openapi",
    "/docs.md",
    "/llms.txt",
    "/llms-full.txt",
    "/_next",
    "/v1",
    "/feeds",
    "/oauth",
    "/health",
  ],
];

/** Returns the name that metrics give a path without a route of the table: one of a few, whatever was asked for. */
export function pageKind(pathname: string): string {
  if (pathname === "/") return "/";
  return kinds.find((kind) => pathname === kind || pathname.startsWith(`${kind}/`)) ?? "other";
}

/**
 * Returns the name that metrics and traces give a route of the table: its pattern. Pages that are served from there
 * keep the name of their kind.
 */
export function endpointName(pattern: string | undefined): string | undefined {
  return pattern?.startsWith("/docs") ? undefined : pattern;
}

import { classes } from "@/components/ui/classes";

const SHOWN = 26;

/** Shows host and path of a callback URL, shortened in the middle, and all of it on hover. */
export function Endpoint({ endpoint, isWhole = false }: { endpoint: string; isWhole?: boolean }) {
  return (
    <span title={endpoint} className={classes("font-mono text-12", isWhole && "wrap-anywhere")}>
      {isWhole ? endpoint : shortenedEndpoint(endpoint, SHOWN)}
    </span>
  );
}

const END = 14;

/** Shows host and path of a callback URL in the width that there is, cut in the middle: the ends are what differs. */
export function CutEndpoint({ endpoint }: { endpoint: string }) {
  const cut = Math.max(0, endpoint.length - END);
  return (
    <span title={endpoint} className="flex min-w-0 font-mono text-12">
      <span className="truncate">{endpoint.slice(0, cut)}</span>
      <span className="shrink-0">{endpoint.slice(cut)}</span>
    </span>
  );
}

/** Shortens an endpoint to `hooks.acme.io/…/calendar/7`: as much of the host as fits, and the end of the path. */
export function shortenedEndpoint(endpoint: string, most: number): string {
  if (endpoint.length <= most) return endpoint;
  const slash = endpoint.indexOf("/");
  const host = slash < 0 ? endpoint.length : slash + 1;
  const start = Math.min(host, Math.ceil(most / 2) + 4);
  return `${endpoint.slice(0, start)}…${endpoint.slice(endpoint.length - (most - start - 1))}`;
}

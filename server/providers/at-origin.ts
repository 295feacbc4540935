import { parsedUrl } from "@/server/domain/net/parsed-url";
import type { EgressFetch } from "@/server/egress/fetch";

/**
 * Sends every request to the one origin that stands in for a provider, even if the provider's documents name another
 * host.
 */
export function atOrigin(fetch: EgressFetch, origin: string | null): EgressFetch {
  if (origin === null) return fetch;
  return (url, init) => {
    const named = parsedUrl(url);
    return fetch(named ? `${origin}${named.pathname}${named.search}` : url, init);
  };
}

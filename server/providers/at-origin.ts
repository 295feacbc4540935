import { parsedUrl } from "@/server/domain/net/parsed-url";
import type { EgressFetch } from "@/server/egress/fetch";

/** What stands in for a provider is asked at its one origin, also where its documents name a host of the provider's. */
export function atOrigin(fetch: EgressFetch, origin: string | null): EgressFetch {
  if (origin === null) return fetch;
  return (url, init) => {
    const named = parsedUrl(url);
    return fetch(named ? `${origin}${named.pathname}${named.search}` : url, init);
  };
}

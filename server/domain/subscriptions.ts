import { checkCallbackUrl } from "@/server/domain/channels/callback-url";

/** The most subscriptions of an account. */
export const MAX_SUBSCRIPTIONS = 50;
/** How often a feed is read. */
export const MIN_REFRESH_MINUTES = 15;
export const MAX_REFRESH_MINUTES = 24 * 60;
export const REFRESH_MINUTES = 60;
/** The most bytes of a feed, however it was compressed. */
export const MAX_SUBSCRIBED_BYTES = 5 * 1024 * 1024;
/** The most events of a feed, each of a series' occurrences within the stored window counted. */
export const MAX_SUBSCRIBED_OCCURRENCES = 20_000;
/** How long the events of a feed stay that is suddenly empty or cut off. */
export const SUSPECT_FEED_MS = 24 * 60 * 60_000;

const SUBSCRIBED = /^webcals?:\/\//i;

/**
 * Returns the address at which a feed is read: `webcal://` is how calendar programs write `https://`. Null: it is no
 * address that a stranger may choose, as for callback URLs.
 */
export function feedAddress(url: string, allowedOrigins: readonly string[]): string | null {
  const address = url.replace(SUBSCRIBED, "https://");
  if (checkCallbackUrl(address, allowedOrigins) !== null) return null;
  const parsed = new URL(address);
  parsed.hash = "";
  return parsed.href;
}

import { type Connectable, offerable, type Provider, providerTraits } from "@/server/domain/providers";
import { env } from "@/server/env";
import { connectorOf, standInEntry } from "@/server/providers/connectors";

/** Gives the providers that this service can connect, in the order in which they are shown. */
export function offeredProviders(): Connectable[] {
  return offerable.filter((provider) => connectorOf(provider) !== null);
}

/** Gives the host of the CalDAV server that was set in place of iCloud's. Null: it is iCloud's. */
export function standInHost(): string | null {
  const entry = standInEntry();
  return entry === null ? null : new URL(entry).host;
}

/**
 * Gives what a provider's CalDAV server is called: as it was named, or for the one in iCloud's place as the operator
 * calls it, or by its host. Null: the provider's own name says it.
 */
export function serverName(provider: Provider, named: string | null = null): string | null {
  if (named !== null || provider !== "icloud") return named;
  const host = standInHost();
  return host && (env().ICLOUD_CALDAV_NAME ?? host);
}

/** Gives the name of a provider, or of its server, as staff read it. */
export function providerLabel(provider: Provider, named: string | null = null): string {
  return serverName(provider, named) ?? providerTraits[provider].label;
}

import { type Connectable, offerable } from "@/server/domain/providers";
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

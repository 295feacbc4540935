import type { Provider } from "@/server/domain/providers";
import { env } from "@/server/env";
import { caldavConnector } from "@/server/providers/caldav/connector";
import type { Connector } from "@/server/providers/connector";

const provided = new Map<Provider, Connector>();

/** Puts a connector in the place of a provider's own. Null: takes it away. */
export function provideConnector(provider: Provider, connector: Connector | null): void {
  if (connector) provided.set(provider, connector);
  else provided.delete(provider);
}

const made = new Map<string, Connector>();

/** The connector of a provider. Null for one that is not configured, or that needs none because Almanac hosts the calendars. */
export function connectorOf(provider: Provider): Connector | null {
  const given = provided.get(provider);
  if (given || provider !== "icloud") return given ?? null;
  const { ICLOUD_CALDAV_URL: entry } = env();
  const known = made.get(entry) ?? caldavConnector({ entry });
  made.set(entry, known);
  return known;
}

/** The address of iCloud's calendars, if it is not Apple's. Null: it is. */
export function standInEntry(): string | null {
  const { ICLOUD_CALDAV_URL: entry } = env();
  return /(?:^|\.)icloud\.com$/.test(new URL(entry).hostname) ? null : entry;
}

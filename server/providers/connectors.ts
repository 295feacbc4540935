import type { Provider } from "@/server/domain/providers";
import { env } from "@/server/env";
import { caldavConnector } from "@/server/providers/caldav/connector";
import type { Connector } from "@/server/providers/connector";

const made = new Map<string, Connector>();

/** The connector of a provider. Null for one that is not configured, or that needs none because Almanac hosts the calendars. */
export function connectorOf(provider: Provider): Connector | null {
  if (provider !== "icloud") return null;
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

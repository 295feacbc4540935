import type { Provider } from "@/server/domain/providers";
import { env } from "@/server/env";
import { caldavConnector } from "@/server/providers/caldav/connector";
import type { Connector } from "@/server/providers/connector";

const made = new Map<string, Connector>();

/** The way to a provider's calendars; null for one that is not configured, or that needs none because the calendars are ours. */
export function connectorOf(provider: Provider): Connector | null {
  if (provider !== "icloud") return null;
  const { ICLOUD_CALDAV_URL: entry } = env();
  const known = made.get(entry) ?? caldavConnector({ entry });
  made.set(entry, known);
  return known;
}

/** Where iCloud's calendars are said to be, when that is not at Apple; null: it is. */
export function standInEntry(): string | null {
  const { ICLOUD_CALDAV_URL: entry } = env();
  return /(?:^|\.)icloud\.com$/.test(new URL(entry).hostname) ? null : entry;
}

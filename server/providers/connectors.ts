import type { Provider } from "@/server/domain/providers";
import { env } from "@/server/env";
import { caldavConnector, caldavServersConnector } from "@/server/providers/caldav/connector";
import type { Connector } from "@/server/providers/connector";
import { feedConnector } from "@/server/providers/feed/connector";
import { googleConnector } from "@/server/providers/google/connector";
import { microsoftConnector } from "@/server/providers/microsoft/connector";

const provided = new Map<Provider, Connector>();

/** Puts a connector in the place of a provider's own. Null: takes it away. */
export function provideConnector(provider: Provider, connector: Connector | null): void {
  if (connector) provided.set(provider, connector);
  else provided.delete(provider);
}

function microsoft(provider: "microsoft" | "outlook") {
  const {
    MICROSOFT_CLIENT_ID: clientId,
    MICROSOFT_CLIENT_SECRET: clientSecret,
    MICROSOFT_BASE_URL: origin = null,
  } = env();
  if (!clientId || !clientSecret) return null;
  const key = `${provider} ${clientId} ${clientSecret} ${origin}`;
  return { key, create: () => microsoftConnector({ clientId, clientSecret, provider, origin }) };
}

/** What creates a provider's connector from the configuration; null where that says nothing of it. `key` changes with what it is created from. */
const configured: Partial<Record<Provider, () => { key: string; create: () => Connector } | null>> = {
  google: () => {
    const { GOOGLE_CLIENT_ID: clientId, GOOGLE_CLIENT_SECRET: clientSecret, GOOGLE_BASE_URL: origin = null } = env();
    if (!clientId || !clientSecret) return null;
    const key = `google ${clientId} ${clientSecret} ${origin}`;
    return { key, create: () => googleConnector({ clientId, clientSecret, origin }) };
  },
  microsoft: () => microsoft("microsoft"),
  outlook: () => microsoft("outlook"),
  icloud: () => {
    const { ICLOUD_CALDAV_URL: entry } = env();
    return { key: `icloud ${entry}`, create: () => caldavConnector({ entry }) };
  },
  caldav: () => {
    const { CALDAV_ALLOWED_ORIGINS: allowedOrigins } = env();
    return { key: `caldav ${allowedOrigins}`, create: () => caldavServersConnector({ allowedOrigins }) };
  },
  feed: () => {
    const { FEED_ALLOWED_ORIGINS: allowedOrigins } = env();
    return { key: `feed ${allowedOrigins}`, create: () => feedConnector({ allowedOrigins }) };
  },
};
const created = new Map<string, Connector>();

/** Gives the connector of a provider. Null for one that is not configured, or that needs none because Almanac hosts the calendars. */
export function connectorOf(provider: Provider): Connector | null {
  const given = provided.get(provider);
  if (given) return given;
  const found = configured[provider]?.();
  if (!found) return null;
  const connector = created.get(found.key) ?? found.create();
  created.set(found.key, connector);
  return connector;
}

/** Gives the address of iCloud's calendars, if it is not Apple's. Null: it is. */
export function standInEntry(): string | null {
  const { ICLOUD_CALDAV_URL: entry } = env();
  return /(?:^|\.)icloud\.com$/.test(new URL(entry).hostname) ? null : entry;
}

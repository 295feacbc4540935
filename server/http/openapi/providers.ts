import { providerTraits } from "@/server/domain/providers";
import { providerName } from "@/server/domain/wire-names";
import type { Wording } from "@/server/http/openapi/wording";

/** A provider whose calendars users of this service can connect. */
export interface OfferedProvider {
  provider_name: string;
  title: string;
}

/** Lists every provider on offer, in the order of the connect page. Pages name no other. */
export function offeredProviders({ names, offered, standIn }: Wording): OfferedProvider[] {
  return offered.map((provider) => ({
    provider_name: providerName(names, provider),
    title: provider === "icloud" && standIn !== null ? `CalDAV (${standIn})` : providerTraits[provider].label,
  }));
}

/** Joins items as in "Google, Microsoft 365 and iCloud"; empty when there is none. */
export function listed(items: readonly string[], word = "and"): string {
  return items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} ${word} ${items.at(-1)}`;
}

/** Names what the API reaches: "iCloud calendars and calendars hosted by Almanac". */
export function reach(providers: readonly OfferedProvider[]): string {
  const hosted = "calendars hosted by Almanac";
  if (providers.length === 0) return hosted;
  const connected = `${listed(providers.map(({ title }) => title))} calendars`;
  return `${connected}${providers.length > 1 ? "," : ""} and ${hosted}`;
}

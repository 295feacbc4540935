import { type Connectable, wireName } from "@/server/domain/wire-names";
import type { Wording } from "@/server/http/openapi/wording";

/** What users call them. */
const titles: Record<Connectable, string> = {
  prov_a: "Google",
  prov_b: "Microsoft 365",
  prov_c: "Outlook.com",
  prov_d: "iCloud",
};

/** A provider whose calendars users of this service can connect. */
export interface OfferedProvider {
  provider_name: string;
  title: string;
}

/** Every provider on offer, in the order of the connect page: pages name no other. */
export function offeredProviders({ names, offered, standIn }: Wording): OfferedProvider[] {
  return offered.map((token) => ({
    provider_name: wireName(names, token),
    title: token === "prov_d" && standIn !== null ? `CalDAV (${standIn})` : titles[token],
  }));
}

/** "Google, Microsoft 365 and iCloud"; empty when there is none. */
export function listed(items: readonly string[], word = "and"): string {
  return items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} ${word} ${items.at(-1)}`;
}

/** What the API reaches: "iCloud calendars and calendars hosted by Almanac". */
export function reach(providers: readonly OfferedProvider[]): string {
  const hosted = "calendars hosted by Almanac";
  if (providers.length === 0) return hosted;
  const connected = `${listed(providers.map(({ title }) => title))} calendars`;
  return `${connected}${providers.length > 1 ? "," : ""} and ${hosted}`;
}

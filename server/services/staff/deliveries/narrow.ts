import { domainToUnicode } from "node:url";
import type { Query } from "@/server/db/client";
import { channelsOpenedBy } from "@/server/services/staff/deliveries/caused-by";
import type { DeliveryFilters } from "@/server/services/staff/deliveries/filters";

/** Filters after a look at whom they mean: ids and hosts have become channels. */
export interface Narrowed {
  delivery: string | null;
  /** Null: whichever. */
  channels: string[] | null;
  application: string | null;
  states: string[];
  errorClasses: string[];
  statusClasses: string[];
  types: string[];
  late: boolean;
  /** Microseconds since 1970. */
  from: number | null;
  to: number | null;
}

interface Named {
  delivery?: string;
  channels?: string[];
  accounts: string[];
  applications: string[];
  types?: string[];
}

/** Null: nothing can match. */
export async function narrow(query: Query, filters: DeliveryFilters): Promise<Narrowed | null> {
  const named = await namedBy(query, filters);
  const [application = null, ...others] = new Set(named.applications);
  if (others.length > 0) return null;
  const types = named.types ? both(named.types, filters.type) : (filters.type ?? []);
  if (named.types && types.length === 0) return null;
  const channels = await channelsOf(query, { ...named, application, host: filters.host ?? null });
  if (channels?.length === 0) return null;
  return {
    delivery: named.delivery ?? null,
    channels,
    application,
    states: filters.state ?? [],
    errorClasses: filters.errorClass ?? [],
    statusClasses: filters.statusClass ?? [],
    types,
    late: filters.late ?? false,
    from: filters.from?.micros ?? null,
    to: filters.to?.micros ?? null,
  };
}

async function namedBy(query: Query, { id, channel, account, application }: DeliveryFilters): Promise<Named> {
  const named: Named = {
    channels: channel === undefined ? undefined : [channel],
    accounts: account === undefined ? [] : [account],
    applications: application === undefined ? [] : [application],
  };
  if (id === undefined) return named;
  switch (/^(whd|chn|acc|apc|app)_/.exec(id)?.[1]) {
    case "whd":
      return { ...named, delivery: id };
    case "chn":
      return { ...named, channels: both([id], named.channels) };
    case "acc":
    case "apc":
      return { ...named, accounts: [...named.accounts, id] };
    case "app":
      return { ...named, applications: [...named.applications, id] };
    default:
      return { ...named, channels: both(await channelsOpenedBy(query, id), named.channels), types: ["verification"] };
  }
}

/** What is in both lists; one that is not given holds everything. */
function both(values: readonly string[], others: readonly string[] | undefined): string[] {
  return values.filter((value) => others === undefined || others.length === 0 || others.includes(value));
}

interface Wanted extends Named {
  application: string | null;
  host: string | null;
}

async function channelsOf(query: Query, wanted: Wanted): Promise<string[] | null> {
  const { channels, application, host } = wanted;
  const [account = null, ...others] = new Set(wanted.accounts);
  if (others.length > 0) return [];
  if (channels === undefined && account === null && host === null) return null;
  const rows = await query<{ id: string }>(
    `SELECT c.id FROM channels c JOIN accounts a ON a.id = c.account_id
WHERE ($1::text[] IS NULL OR c.id = ANY ($1)) AND ($2::text IS NULL OR c.account_id = $2) AND ($3::text IS NULL OR a.application_id = $3)
  AND ($4::text[] IS NULL OR ${hostOfChannel} = ANY ($4))`,
    [channels ?? null, account, application, host === null ? null : spellings(host)],
  );
  return rows.map(({ id }) => id);
}

/** The expression of the index channels_of_host. */
const hostOfChannel = `lower(regexp_replace(substring(c.callback_url from '^[^:]*://([^/?#]*)'), '\\.?(:443)?$', ''))`;

function spellings(host: string): string[] {
  const lower = host.toLowerCase();
  return [...new Set([lower, domainToUnicode(lower)])].filter((name) => name !== "");
}

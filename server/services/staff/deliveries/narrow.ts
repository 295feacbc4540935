import type { Query } from "@/server/db/client";
import { run } from "@/server/db/statement";
import { channelsAt, hostSpellings } from "@/server/services/staff/deliveries/endpoint-search";
import type { DeliveryFilters } from "@/server/services/staff/deliveries/filters";
import { channelsOpenedBy, namedDelivery } from "@/server/services/staff/deliveries/names";
import {
  accountsLike,
  accountWithPart,
  channelsWithin,
  type DeliveryByName,
} from "@/server/services/staff/deliveries/names.sql";
import { applicationWithClientId } from "@/server/services/staff/lists/client-id";
import { intersection } from "@/server/services/staff/lists/intersection";
import { escapeLike, prefixPattern } from "@/server/services/staff/lists/like";
import { type Meaning, meaningOf, namesEmail } from "@/server/services/staff/lists/meaning";
import type { PageCursor } from "@/server/services/staff/lists/paging";
import type { VisibleApplications } from "@/server/services/staff/procedure/scope";

/** Filters after their names were looked up: ids, emails, hosts and endpoints have become channels. */
export interface NarrowedFilters {
  /** The delivery's id and creation time. */
  delivery: PageCursor | null;
  /** Null: any channel. */
  channels: string[] | null;
  /** Any of these applications; null: any at all. */
  applications: readonly string[] | null;
  /** The database's names. */
  states: string[];
  /** Restricts pending deliveries to these; null: all. */
  pending: "queued" | "retrying" | null;
  errorClasses: string[];
  statusClasses: string[];
  types: string[];
  late: boolean;
  /** Microseconds since 1970. */
  from: number | null;
  to: number | null;
}

/** The objects that a filter names. An absent field does not narrow; an empty list means that there is no such object. */
export interface NamedObjects {
  /** Null: there is none. */
  delivery?: DeliveryByName | null;
  channels?: string[];
  accounts?: string[];
  application?: string;
  types?: string[];
}

/** Resolves the names in filters, within some applications or all. Null: nothing can match. */
export async function narrow(
  query: Query,
  filters: DeliveryFilters,
  within: VisibleApplications,
): Promise<NarrowedFilters | null> {
  const named = await namedBy(query, filters, within);
  const applications = new Set(named.flatMap(({ application }) => application ?? []));
  const [delivery = null, another = delivery] = named.flatMap((one) => one.delivery ?? []);
  if (applications.size > 1 || delivery?.id !== another?.id || within?.length === 0) return null;
  if (named.some((one) => one.delivery === null)) return null;
  const [application = null] = applications;
  if (application !== null && within !== null && !within.includes(application)) return null;
  const types = intersection(named.map((one) => one.types));
  if (types?.length === 0) return null;
  const accounts = intersection(named.map((one) => one.accounts));
  const channels = intersection(named.map((one) => one.channels));
  const wanted = { accounts, channels, application, host: filters.host ?? null };
  const channelIds = await channelsOf(query, wanted, within);
  if (channelIds?.length === 0) return null;
  return {
    ...statesOf(filters.state ?? []),
    delivery: delivery && { id: delivery.id, at: delivery.at },
    channels: channelIds,
    applications: application === null ? within : [application],
    errorClasses: filters.errorClass ?? [],
    statusClasses: filters.statusClass ?? [],
    types: types ?? [],
    late: filters.late ?? false,
    from: filters.from?.micros ?? null,
    to: filters.to?.micros ?? null,
  };
}

function statesOf(wanted: readonly string[]): Pick<NarrowedFilters, "states" | "pending"> {
  const halves = ["queued", "retrying"] as const;
  const [half, other] = halves.filter((name) => wanted.includes(name));
  const isAny = wanted.includes("pending") || half !== undefined;
  const states = wanted.filter((name) => name !== "pending" && name !== "queued" && name !== "retrying");
  const isHalf = half !== undefined && other === undefined && !wanted.includes("pending");
  return { states: isAny ? [...states, "pending"] : states, pending: isHalf ? half : null };
}

async function namedBy(query: Query, filters: DeliveryFilters, within: VisibleApplications): Promise<NamedObjects[]> {
  const { id, q, channel, account, application, type } = filters;
  return await Promise.all([
    channel === undefined ? {} : { channels: [channel] },
    application === undefined ? {} : { application },
    type === undefined || type.length === 0 ? {} : { types: type },
    account === undefined ? {} : namedAccount(query, account, within),
    id === undefined ? {} : namedId(query, meaningOf(id), within),
    q === undefined ? {} : resolveSearch(query, q, within),
  ]);
}

/**
 * Resolves one search over IDs, client IDs, emails, application calendars and endpoints. When the text looks like an
 * address, the log is searched last, since it is long; an ID that nothing else is called is looked up last of all.
 */
export async function resolveSearch(query: Query, typed: string, within: VisibleApplications): Promise<NamedObjects> {
  const meaning = meaningOf(typed);
  if (meaning.isWholeId) return await namedId(query, meaning, within);
  const application = await applicationWithClientId(query, meaning, within);
  if (application !== undefined) return { application };
  const named = await namedByText(query, meaning, within);
  return namesNobody(named) && meaning.prefix !== null ? await namedId(query, meaning, within) : named;
}

function namesNobody({ channels = [], accounts = [] }: NamedObjects): boolean {
  return channels.length === 0 && accounts.length === 0;
}

async function namedByText(query: Query, meaning: Meaning, within: VisibleApplications): Promise<NamedObjects> {
  const [first, second] = meaning.isAddress ? [namedOwner, namedRequest] : [namedRequest, namedOwner];
  const named = await first(query, meaning, within);
  return namesNobody(named) ? await second(query, meaning, within) : named;
}

async function namedRequest(
  query: Query,
  { text, mayBeRequest }: Meaning,
  within: VisibleApplications,
): Promise<NamedObjects> {
  return { channels: mayBeRequest ? await channelsOpenedBy(query, text, within) : [], types: ["verification"] };
}

/** Finds owners by the beginning of an email, of an application's name for an application calendar, of an endpoint or of a path. */
async function namedOwner(query: Query, meaning: Meaning, within: VisibleApplications): Promise<NamedObjects> {
  const like = { email: prefixPattern(meaning.text), calendar: prefixPattern(meaning.text) };
  const accounts = await accountsOf(query, like, within);
  const channels = await channelsAt(query, meaning, within);
  if (channels.length === 0) return { accounts };
  const wanted = { channels: undefined, accounts, application: null, host: null };
  return { channels: [...channels, ...((await channelsOf(query, wanted, within)) ?? [])] };
}

async function namedId(query: Query, meaning: Meaning, within: VisibleApplications): Promise<NamedObjects> {
  const { text: id, prefix } = meaning;
  switch (prefix) {
    case "whd":
      return { delivery: await namedDelivery(query, id, within) };
    case "chn":
      return { channels: [id] };
    case "acc":
    case "apc":
      return { accounts: [id] };
    case "pro":
    case "cal":
      return { accounts: (await run(query, accountWithPart, [id, within])).map((account) => account.id) };
    case "app":
      return { application: id };
    default:
      return await namedRequest(query, meaning, within);
  }
}

/** Loads an account by its id or its whole email. */
export async function namedAccount(query: Query, account: string, within: VisibleApplications): Promise<NamedObjects> {
  if (!namesEmail(account)) return { accounts: [account] };
  return { accounts: await accountsOf(query, { email: escapeLike(account), calendar: null }, within) };
}

interface NamePatterns {
  email: string | null;
  calendar: string | null;
}

/** Finds accounts by patterns of an email and of an application's name for an application calendar. */
async function accountsOf(
  query: Query,
  { email, calendar }: NamePatterns,
  within: VisibleApplications,
): Promise<string[]> {
  const rows = await run(query, accountsLike, [email, calendar, within]);
  return rows.map(({ id }) => id);
}

interface ChannelFilters {
  channels: string[] | undefined;
  accounts: string[] | undefined;
  application: string | null;
  host: string | null;
}

async function channelsOf(query: Query, wanted: ChannelFilters, within: VisibleApplications): Promise<string[] | null> {
  const { channels, accounts, application, host } = wanted;
  if (channels === undefined && accounts === undefined && host === null) return null;
  if (channels?.length === 0 || accounts?.length === 0) return [];
  const hosts = host === null ? null : hostSpellings(host);
  const rows = await run(query, channelsWithin, [channels ?? null, accounts ?? null, application, hosts, within]);
  return rows.map(({ id }) => id);
}

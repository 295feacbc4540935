import type { Query } from "@/server/db/client";
import { run } from "@/server/db/statement";
import { channelsOpenedBy } from "@/server/services/staff/deliveries/caused-by";
import { channelsAt, spellings } from "@/server/services/staff/deliveries/endpoint-search";
import type { DeliveryFilters } from "@/server/services/staff/deliveries/filters";
import { namedDelivery } from "@/server/services/staff/deliveries/named-delivery";
import {
  accountsLike,
  accountWithPart,
  channelsWithin,
  type DeliveryByName,
} from "@/server/services/staff/deliveries/names.sql";
import { applicationWithClientId } from "@/server/services/staff/lists/client-id";
import { isWholeId, looksLikeId } from "@/server/services/staff/lists/ids";
import { inAll } from "@/server/services/staff/lists/in-all";
import { beginning, literally } from "@/server/services/staff/lists/like";
import type { PageCursor } from "@/server/services/staff/lists/paging";
import type { Within } from "@/server/services/staff/procedure/scope";

/** Filters after a look at whom they mean: ids, emails, hosts and endpoints have become channels. */
export interface Narrowed {
  /** By its id and when it was created. */
  delivery: PageCursor | null;
  /** Null: whichever. */
  channels: string[] | null;
  /** Of one of these; null: whichever. */
  applications: readonly string[] | null;
  /** As the database has them. */
  states: string[];
  /** Of those that are pending, only these; null: all. */
  pending: "queued" | "retrying" | null;
  errorClasses: string[];
  statusClasses: string[];
  types: string[];
  late: boolean;
  /** Microseconds since 1970. */
  from: number | null;
  to: number | null;
}

/** Whom a filter means. What is absent is not narrowed; an empty list means that there is nothing like it. */
export interface Named {
  /** Null: there is none. */
  delivery?: DeliveryByName | null;
  channels?: string[];
  accounts?: string[];
  application?: string;
  types?: string[];
}

/** Within some applications, or all. Null: nothing can match. */
export async function narrow(query: Query, filters: DeliveryFilters, within: Within): Promise<Narrowed | null> {
  const named = await namedBy(query, filters, within);
  const applications = new Set(named.flatMap(({ application }) => application ?? []));
  const [delivery = null, another = delivery] = named.flatMap((one) => one.delivery ?? []);
  if (applications.size > 1 || delivery?.id !== another?.id || within?.length === 0) return null;
  if (named.some((one) => one.delivery === null)) return null;
  const [application = null] = applications;
  if (application !== null && within !== null && !within.includes(application)) return null;
  const types = inAll(named.map((one) => one.types));
  if (types?.length === 0) return null;
  const accounts = inAll(named.map((one) => one.accounts));
  const channels = inAll(named.map((one) => one.channels));
  const wanted = { accounts, channels, application, host: filters.host ?? null };
  const found = await channelsOf(query, wanted, within);
  if (found?.length === 0) return null;
  return {
    ...statesOf(filters.state ?? []),
    delivery: delivery && { id: delivery.id, at: delivery.at },
    channels: found,
    applications: application === null ? within : [application],
    errorClasses: filters.errorClass ?? [],
    statusClasses: filters.statusClass ?? [],
    types: types ?? [],
    late: filters.late ?? false,
    from: filters.from?.micros ?? null,
    to: filters.to?.micros ?? null,
  };
}

function statesOf(wanted: readonly string[]): Pick<Narrowed, "states" | "pending"> {
  const halves = ["queued", "retrying"] as const;
  const [half, other] = halves.filter((name) => wanted.includes(name));
  const isAny = wanted.includes("pending") || half !== undefined;
  const states = wanted.filter((name) => name !== "pending" && name !== "queued" && name !== "retrying");
  const isHalf = half !== undefined && other === undefined && !wanted.includes("pending");
  return { states: isAny ? [...states, "pending"] : states, pending: isHalf ? half : null };
}

async function namedBy(query: Query, filters: DeliveryFilters, within: Within): Promise<Named[]> {
  const { id, q, channel, account, application, type } = filters;
  return await Promise.all([
    channel === undefined ? {} : { channels: [channel] },
    application === undefined ? {} : { application },
    type === undefined || type.length === 0 ? {} : { types: type },
    account === undefined ? {} : namedAccount(query, account, within),
    id === undefined ? {} : namedId(query, id, within),
    q === undefined ? {} : searched(query, q, within),
  ]);
}

/**
 * What one search over ids, client ids, emails, application calendars and endpoints means. Any word may be the id that a caller gave a request, and an
 * application's name for something of its own may look like an id. Where it looks like an endpoint the log is asked last, since it is long.
 */
export async function searched(query: Query, typed: string, within: Within): Promise<Named> {
  if (isWholeId(typed)) return await namedId(query, typed, within);
  const application = await applicationWithClientId(query, typed, within);
  if (application !== undefined) return { application };
  const named = await namedByText(query, typed, within);
  return isNobody(named) && looksLikeId(typed) ? await namedId(query, typed, within) : named;
}

function isNobody({ channels = [], accounts = [] }: Named): boolean {
  return channels.length === 0 && accounts.length === 0;
}

async function namedByText(query: Query, typed: string, within: Within): Promise<Named> {
  const [first, second] = /[./@]/.test(typed) ? [namedOwner, namedRequest] : [namedRequest, namedOwner];
  const named = await first(query, typed, within);
  return isNobody(named) ? await second(query, typed, within) : named;
}

async function namedRequest(query: Query, requestId: string, within: Within): Promise<Named> {
  return { channels: await channelsOpenedBy(query, requestId, within), types: ["verification"] };
}

/** By how an email, an application's name for an application calendar, an endpoint or a path begins. */
async function namedOwner(query: Query, typed: string, within: Within): Promise<Named> {
  const like = { email: beginning(typed), calendar: beginning(typed) };
  const accounts = await accountsOf(query, like, within);
  const channels = await channelsAt(query, typed, within);
  if (channels.length === 0) return { accounts };
  const wanted = { channels: undefined, accounts, application: null, host: null };
  return { channels: [...channels, ...((await channelsOf(query, wanted, within)) ?? [])] };
}

async function namedId(query: Query, id: string, within: Within): Promise<Named> {
  switch (/^(whd|chn|acc|apc|app|pro|cal)_/.exec(id)?.[1]) {
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
      return { channels: await channelsOpenedBy(query, id, within), types: ["verification"] };
  }
}

/** An account by its id or its whole email. */
export async function namedAccount(query: Query, account: string, within: Within): Promise<Named> {
  if (!account.includes("@")) return { accounts: [account] };
  return { accounts: await accountsOf(query, { email: literally(account), calendar: null }, within) };
}

interface Like {
  email: string | null;
  calendar: string | null;
}

/** By patterns of an email and of an application's name for an application calendar. */
async function accountsOf(query: Query, { email, calendar }: Like, within: Within): Promise<string[]> {
  const rows = await run(query, accountsLike, [email, calendar, within]);
  return rows.map(({ id }) => id);
}

interface Wanted {
  channels: string[] | undefined;
  accounts: string[] | undefined;
  application: string | null;
  host: string | null;
}

async function channelsOf(query: Query, wanted: Wanted, within: Within): Promise<string[] | null> {
  const { channels, accounts, application, host } = wanted;
  if (channels === undefined && accounts === undefined && host === null) return null;
  if (channels?.length === 0 || accounts?.length === 0) return [];
  const hosts = host === null ? null : spellings(host);
  const rows = await run(query, channelsWithin, [channels ?? null, accounts ?? null, application, hosts, within]);
  return rows.map(({ id }) => id);
}

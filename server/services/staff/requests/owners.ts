import type { Query } from "@/server/db/client";
import { runComposed } from "@/server/db/composed";
import { patternsOf } from "@/server/services/staff/deliveries/endpoint-search";
import { namedDelivery } from "@/server/services/staff/deliveries/named-delivery";
import { applicationWithClientId } from "@/server/services/staff/lists/client-id";
import { isWholeId, looksLikeId } from "@/server/services/staff/lists/ids";
import { inAll } from "@/server/services/staff/lists/in-all";
import { beginning, literally } from "@/server/services/staff/lists/like";
import type { Within } from "@/server/services/staff/procedure/scope";
import { type Conditions, conditionsOf, type RequestFilters } from "@/server/services/staff/requests/filters";
import { accountsBy, type OwnerName } from "@/server/services/staff/requests/owners.sql";

interface DeliveryName {
  delivery: string;
}

/** The log's own. */
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/**
 * The conditions of filters after a look at whom they mean: a client ID means the requests of its application, and an email, a callback URL, a profile and a delivery mean the requests of their
 * accounts. Null: nothing can match.
 */
export async function searchedConditions(
  query: Query,
  { id, account, ...filters }: RequestFilters,
  within: Within,
): Promise<Conditions | null> {
  const searched = id === undefined ? undefined : await applicationWithClientId(query, id, within);
  if (searched !== undefined) {
    if (filters.application !== undefined && filters.application !== searched) return null;
    return await searchedConditions(query, { ...filters, account, application: searched }, within);
  }
  const [byId, byEmail] = await Promise.all([
    owners(query, id === undefined ? null : ownerOf(id), within),
    owners(query, account?.includes("@") ? { email: literally(account) } : null, within),
  ]);
  // What nobody has may be the id that a caller gave a request.
  const isRequest = byId?.length === 0 && id !== undefined && !/[@/]/.test(id) && !/^(pro|whd)_/.test(id);
  const accounts = inAll([isRequest ? undefined : byId, byEmail]);
  if (accounts?.length === 0) return null;
  const kept = {
    ...filters,
    ...(byId === undefined || isRequest ? { id } : {}),
    ...(byEmail === undefined ? { account } : {}),
  };
  return withinOne({ ...conditionsOf(kept, within), owners: accounts ?? null });
}

/** Who may see several applications and narrows to one of them reads that one alone. Null: it is none of theirs. */
function withinOne(conditions: Conditions): Conditions | null {
  const { applications, within } = conditions;
  if (within === null) return conditions;
  if (within.length === 0 || applications.some((id) => !within.includes(id))) return null;
  return applications.length === 0 ? conditions : { ...conditions, within: null };
}

/** What a search names that is no id which the log itself has; null: it may be one. */
function ownerOf(typed: string): OwnerName | DeliveryName | null {
  if (UUID.test(typed)) return null;
  if (looksLikeId(typed) && typed.startsWith("pro_")) return { profile: typed };
  if (looksLikeId(typed) && typed.startsWith("whd_")) return { delivery: typed };
  if (isWholeId(typed)) return null;
  return { begins: beginning(typed), endpoints: patternsOf(typed) };
}

async function owners(
  query: Query,
  name: OwnerName | DeliveryName | null,
  applications: Within,
): Promise<string[] | undefined> {
  if (name === null) return undefined;
  if ("delivery" in name) {
    const named = await namedDelivery(query, name.delivery, applications);
    return named ? [named.accountId] : [];
  }
  return (await runComposed(query, accountsBy, { name, applications })).map(({ id }) => id);
}

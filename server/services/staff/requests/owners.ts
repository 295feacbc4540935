import type { Query } from "@/server/db/client";
import { runComposed } from "@/server/db/composed";
import { patternsOf } from "@/server/services/staff/deliveries/endpoint-search";
import { namedDelivery } from "@/server/services/staff/deliveries/names";
import { applicationWithClientId } from "@/server/services/staff/lists/client-id";
import { intersection } from "@/server/services/staff/lists/intersection";
import { escapeLike, prefixPattern } from "@/server/services/staff/lists/like";
import { type Meaning, meaningOf, namesEmail } from "@/server/services/staff/lists/meaning";
import type { VisibleApplications } from "@/server/services/staff/procedure/scope";
import { type Conditions, conditionsOf, type RequestFilters } from "@/server/services/staff/requests/filters";
import { accountsBy, type OwnerName } from "@/server/services/staff/requests/owners.sql";

interface DeliveryName {
  delivery: string;
}

/**
 * Builds conditions from filters after looking up names: a client ID stands for the requests of its application; an
 * email, a callback URL, a profile and a delivery for the requests of their accounts. Null: nothing can match.
 */
export async function searchedConditions(
  query: Query,
  { id, account, ...filters }: RequestFilters,
  within: VisibleApplications,
): Promise<Conditions | null> {
  const meaning = id === undefined ? null : meaningOf(id);
  const searched = meaning === null ? undefined : await applicationWithClientId(query, meaning, within);
  if (searched !== undefined) {
    if (filters.application !== undefined && filters.application !== searched) return null;
    return await searchedConditions(query, { ...filters, account, application: searched }, within);
  }
  const [byId, byEmail] = await Promise.all([
    loadOwners(query, meaning && ownerOf(meaning), within),
    loadOwners(query, account !== undefined && namesEmail(account) ? { email: escapeLike(account) } : null, within),
  ]);
  // An id without an owner may be one that a caller gave a request.
  const isRequest = byId?.length === 0 && meaning?.mayBeRequest && meaning.prefix !== "pro" && meaning.prefix !== "whd";
  const accounts = intersection([isRequest ? undefined : byId, byEmail]);
  if (accounts?.length === 0) return null;
  const kept = {
    ...filters,
    ...(byId === undefined || isRequest ? { id } : {}),
    ...(byEmail === undefined ? { account } : {}),
  };
  return withinOne({ ...conditionsOf(kept, within), owners: accounts ?? null });
}

/** Narrows a developer of several applications to the one that is filtered for. Null: it is none of theirs. */
function withinOne(conditions: Conditions): Conditions | null {
  const { applications, within } = conditions;
  if (within === null) return conditions;
  if (within.length === 0 || applications.some((id) => !within.includes(id))) return null;
  return applications.length === 0 ? conditions : { ...conditions, within: null };
}

/** Returns the name in a search that is no id of the log itself; null: it may be one. */
function ownerOf(meaning: Meaning): OwnerName | DeliveryName | null {
  const { text, prefix, isWholeId, isLogId } = meaning;
  if (prefix === "pro") return { profile: text };
  if (prefix === "whd") return { delivery: text };
  if (isLogId || isWholeId) return null;
  return { begins: prefixPattern(text), endpoints: patternsOf(meaning) };
}

async function loadOwners(
  query: Query,
  name: OwnerName | DeliveryName | null,
  applications: VisibleApplications,
): Promise<string[] | undefined> {
  if (name === null) return undefined;
  if ("delivery" in name) {
    const named = await namedDelivery(query, name.delivery, applications);
    return named ? [named.accountId] : [];
  }
  return (await runComposed(query, accountsBy, { name, applications })).map(({ id }) => id);
}

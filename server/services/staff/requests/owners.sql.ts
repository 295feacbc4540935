import { composed } from "@/server/db/composed";
import { text } from "@/server/db/statement";
import { type EndpointPatterns, endpointLike } from "@/server/services/staff/deliveries/names.sql";
import { within } from "@/server/services/staff/procedure/scope";

/** The requests of more accounts are not looked for. */
const MOST = 50;

export type OwnerName =
  /** A pattern. */
  { email: string } | { profile: string } | { delivery: string } | { endpoints: EndpointPatterns };

interface Owners {
  name: OwnerName;
  applications: readonly string[] | null;
}

/** The accounts that a name of something of theirs means. */
export const accountsBy = composed<Owners, { id: string }>({
  compose: ({ name, applications }, { put }) => {
    const conditions = [conditionOf(name, put), ...within("a.application_id", applications, put)];
    return `SELECT a.id FROM accounts a WHERE ${conditions.join(" AND ")} LIMIT ${MOST}`;
  },
  columns: { id: text },
  samples: [
    { email: "a%" },
    { profile: "pro_1" },
    { delivery: "whd_1" },
    { endpoints: { begins: ["a%"], liesBelow: ["a.%"], paths: ["/a%"] } },
  ].flatMap((name: OwnerName) => [null, ["app_1"], ["app_1", "app_2"]].map((applications) => ({ name, applications }))),
});

function conditionOf(name: OwnerName, put: (value: unknown) => string): string {
  if ("email" in name) return `lower(a.email) LIKE lower(${put(name.email)})`;
  if ("profile" in name) return `a.id = (SELECT account_id FROM profiles WHERE id = ${put(name.profile)})`;
  if ("delivery" in name) return `a.id = (SELECT account_id FROM deliveries WHERE id = ${put(name.delivery)})`;
  return `a.id IN (SELECT c.account_id FROM channels c WHERE ${endpointLike(name.endpoints, put).join(" OR ")})`;
}

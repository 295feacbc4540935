import { composed } from "@/server/db/composed";
import { text } from "@/server/db/statement";
import { type EndpointPatterns, endpointLike } from "@/server/services/staff/deliveries/names.sql";
import { applicationCondition } from "@/server/services/staff/procedure/scope";

/** How many accounts' requests are searched for. */
const MOST = 50;

export type OwnerName =
  /** Patterns: of an email only, or of anything that a text may begin. */
  { email: string } | { begins: string; endpoints: EndpointPatterns } | { profile: string };

interface Owners {
  name: OwnerName;
  applications: readonly string[] | null;
}

/** The accounts that own what a name stands for. */
export const accountsBy = composed<Owners, { id: string }>({
  compose: ({ name, applications }, { put }) => {
    const conditions = [conditionOf(name, put), ...applicationCondition("a.application_id", applications, put)];
    return `SELECT a.id FROM accounts a WHERE ${conditions.join(" AND ")} LIMIT ${MOST}`;
  },
  columns: { id: text },
  samples: [
    { email: "a%" },
    { profile: "pro_1" },
    { begins: "a%", endpoints: { begins: ["a%"], liesBelow: ["a.%"], paths: ["/a%"], parts: [] } },
    {
      begins: "a%",
      endpoints: { begins: [], liesBelow: [], paths: [], parts: [{ segments: ["a"], pattern: "%/a/%" }] },
    },
  ].flatMap((name: OwnerName) => [null, ["app_1"], ["app_1", "app_2"]].map((applications) => ({ name, applications }))),
});

function conditionOf(name: OwnerName, put: (value: unknown) => string): string {
  if ("email" in name) return `lower(a.email) LIKE lower(${put(name.email)})`;
  if ("profile" in name) return `a.id = (SELECT account_id FROM profiles WHERE id = ${put(name.profile)})`;
  const ways = endpointLike(name.endpoints, put);
  // Each condition reads its own index.
  return `a.id IN (${[
    `SELECT b.id FROM accounts b WHERE lower(b.email) LIKE lower(${put(name.begins)})`,
    `SELECT b.id FROM accounts b WHERE b.application_calendar_id LIKE ${put(name.begins)}`,
    ...(ways.length === 0 ? [] : [`SELECT c.account_id FROM channels c WHERE ${ways.join(" OR ")}`]),
  ].join(" UNION ")})`;
}

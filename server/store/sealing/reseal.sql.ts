import { composed } from "@/server/db/composed";
import { nullable, text } from "@/server/db/statement";

/** How many values are read at a time. */
export const BATCH = 200;

/** A column of sealed values, and the column that identifies their rows. */
export interface SealedValues {
  table:
    | "client_secrets"
    | "channels"
    | "profiles"
    | "provider_revocations"
    | "provider_tokens"
    | "grants"
    | "alert_targets"
    | "delegations"
    | "oauth_clients"
    | "operator_second_factors";
  column: "sealed" | "sealed_secret" | "sealed_url" | "credential" | "sealed_pair";
  row: "id" | "profile_id" | "scope" | "operator_id";
}

/**
 * Everything that is sealed for longer than an hour. Client secrets come last: a process checks at its start that it
 * has their keys, so that it then has the keys of all.
 */
export const sealedValues: readonly SealedValues[] = [
  { table: "channels", column: "sealed_secret", row: "id" },
  { table: "profiles", column: "credential", row: "id" },
  { table: "provider_revocations", column: "credential", row: "profile_id" },
  { table: "provider_tokens", column: "sealed", row: "profile_id" },
  { table: "grants", column: "sealed_pair", row: "id" },
  { table: "alert_targets", column: "sealed_secret", row: "scope" },
  { table: "alert_targets", column: "sealed_url", row: "scope" },
  { table: "delegations", column: "sealed", row: "id" },
  { table: "oauth_clients", column: "sealed", row: "id" },
  { table: "operator_second_factors", column: "sealed", row: "operator_id" },
  { table: "client_secrets", column: "sealed", row: "id" },
];

interface ReadInput extends SealedValues {
  /** The key that values should be sealed with. */
  kid: string;
  /** The row to begin after. */
  after: string;
}

/** Values that another key sealed, in the order of their rows. */
export const readOtherKeys = composed<ReadInput, { row: string; sealed: string | null }>({
  compose: ({ table, column, row, kid, after }, { put }) =>
    `SELECT ${row} AS row, ${column} AS sealed FROM ${table}
WHERE ${row} > ${put(after)} AND split_part(${column}, '.', 2) <> ${put(kid)} ORDER BY ${row} LIMIT ${BATCH}`,
  columns: { row: text, sealed: nullable(text) },
  samples: sealedValues.map((values) => ({ ...values, kid: "k2", after: "" })),
});

interface ReplaceInput extends SealedValues {
  id: string;
  old: string;
  fresh: string;
}

/** Replaces a value if it is unchanged. */
export const replaceSealed = composed<ReplaceInput, { row: string }>({
  compose: ({ table, column, row, id, old, fresh }, { put }) =>
    `UPDATE ${table} SET ${column} = ${put(fresh)} WHERE ${row} = ${put(id)} AND ${column} = ${put(old)} RETURNING ${row} AS row`,
  columns: { row: text },
  samples: sealedValues.map((values) => ({ ...values, id: "", old: "", fresh: "" })),
});

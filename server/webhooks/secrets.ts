import { type SealedColumn, unseal } from "@/server/db/sealed";

const MOST_KEPT = 1_000;
const kept = new Map<string, string>();

/**
 * The secret in a sealed value, opened once for many attempts: the thousand used last stay open in memory, where the keys are too. A value that
 * is sealed anew, as each rotation does, is another one.
 */
export function opened(sealed: string, place: SealedColumn): string {
  const name = `${place.table}|${place.column}|${place.row}|${sealed}`;
  const secret = kept.get(name) ?? unseal(sealed, place);
  // A map has its names in the order in which they came: what is used comes anew.
  kept.delete(name);
  const [oldest] = kept.keys();
  if (kept.size >= MOST_KEPT && oldest !== undefined) kept.delete(oldest);
  kept.set(name, secret);
  return secret;
}

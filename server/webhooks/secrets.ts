import { type SealedColumn, unseal } from "@/server/db/sealed";

const MOST_KEPT = 1_000;
const kept = new Map<string, string>();

/**
 * Opens the secret in a sealed value, once for many attempts: the thousand most recently used stay in memory, as the
 * keys do. A rotation seals a new value, which is a different entry.
 */
export function opened(sealed: string, place: SealedColumn): string {
  const name = `${place.table}|${place.column}|${place.row}|${sealed}`;
  const secret = kept.get(name) ?? unseal(sealed, place);
  // A map iterates in insertion order, so a used secret is inserted again.
  kept.delete(name);
  const [oldest] = kept.keys();
  if (kept.size >= MOST_KEPT && oldest !== undefined) kept.delete(oldest);
  kept.set(name, secret);
  return secret;
}

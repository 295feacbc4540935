import type { Database } from "@/server/db/client";
import { runComposed } from "@/server/db/composed";
import { seal, unseal } from "@/server/db/sealed";
import {
  BATCH,
  readOtherKeys,
  replaceSealed,
  type SealedValues,
  sealedValues,
} from "@/server/store/sealing/reseal.sql";

export interface Resealed {
  /** How many values were sealed again. */
  count: number;
  /** How many cannot be opened with any key of this process. */
  unreadable: number;
}

/**
 * Seals every stored secret with the current key that another key of the ring sealed. Several processes may do it at once, and values may
 * change in the meantime: a value is replaced only while it is what was read. Ends early when `goesOn` says so.
 */
export async function reseal(db: Database, kid: string, goesOn: () => boolean): Promise<Resealed> {
  const total = { count: 0, unreadable: 0 };
  for (const values of sealedValues) await resealColumn({ db, values, kid, total, goesOn });
  return total;
}

interface Resealing {
  db: Database;
  values: SealedValues;
  kid: string;
  total: Resealed;
  goesOn: () => boolean;
}

async function resealColumn({ db, values, kid, total, goesOn }: Resealing): Promise<void> {
  for (let after = "", isMore = true; isMore && goesOn(); ) {
    const found = await runComposed(db.query, readOtherKeys, { ...values, kid, after });
    for (const { row, sealed } of found) {
      after = row;
      const fresh = sealed === null ? undefined : resealed(values, row, sealed);
      if (sealed === null || fresh === undefined) total.unreadable += 1;
      else
        total.count += (await runComposed(db.query, replaceSealed, { ...values, id: row, old: sealed, fresh })).length;
    }
    isMore = found.length === BATCH;
  }
}

/** Undefined: no key opens it. */
function resealed({ table, column }: SealedValues, row: string, sealed: string): string | undefined {
  // Access that is to end is sealed as the credential of the profile that it was.
  const place = { table: table === "provider_revocations" ? "profiles" : table, column, row };
  try {
    return seal(unseal(sealed, place), place);
  } catch {
    return undefined;
  }
}

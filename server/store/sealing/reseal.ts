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

export interface ResealResult {
  /** How many values were sealed again. */
  count: number;
  /** How many cannot be opened with any key of this process. */
  unreadable: number;
}

/**
 * Seals every stored secret with the current key that another key of the ring sealed. Several processes may do it at
 * once, and values may change in the meantime: a value is replaced only while it is unchanged. Ends early when `goesOn`
 * returns false.
 */
export async function reseal(db: Database, kid: string, goesOn: () => boolean): Promise<ResealResult> {
  const total = { count: 0, unreadable: 0 };
  for (const values of sealedValues) await resealColumn({ db, values, kid, total, goesOn });
  return total;
}

interface Resealing {
  db: Database;
  values: SealedValues;
  kid: string;
  total: ResealResult;
  goesOn: () => boolean;
}

async function resealColumn({ db, values, kid, total, goesOn }: Resealing): Promise<void> {
  for (let after = "", isMore = true; isMore && goesOn(); ) {
    const sealedRows = await runComposed(db.query, readOtherKeys, { ...values, kid, after });
    for (const { row, sealed } of sealedRows) {
      after = row;
      const fresh = sealed === null ? undefined : resealValue(values, row, sealed);
      if (sealed === null || fresh === undefined) total.unreadable += 1;
      else
        total.count += (await runComposed(db.query, replaceSealed, { ...values, id: row, old: sealed, fresh })).length;
    }
    isMore = sealedRows.length === BATCH;
  }
}

/** Seals a value with the current key. Returns undefined when no key opens it. */
function resealValue({ table, column }: SealedValues, row: string, sealed: string): string | undefined {
  // Access that is to be revoked is sealed as the credential of its former profile.
  const place = { table: table === "provider_revocations" ? "profiles" : table, column, row };
  try {
    return seal(unseal(sealed, place), place);
  } catch {
    return undefined;
  }
}

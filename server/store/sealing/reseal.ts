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
function resealValue(values: SealedValues, row: string, sealed: string): string | undefined {
  const place = placeOf(values, row);
  try {
    return seal(unseal(sealed, place), place);
  } catch {
    return undefined;
  }
}

function placeOf({ table, column }: SealedValues, row: string) {
  // Access that is to be revoked is sealed as the credential of its former profile.
  return { table: table === "provider_revocations" ? "profiles" : table, column, row };
}

/** What a column of sealed values has, and how many of them no key of this process opens. */
export interface Readability extends SealedValues {
  count: number;
  unreadable: number;
}

/** Opens every sealed value with the keys of this process, and changes nothing. */
export async function readEverySealed(db: Database): Promise<Readability[]> {
  const found: Readability[] = [];
  for (const values of sealedValues) found.push(await readColumn(db, values));
  return found;
}

async function readColumn(db: Database, values: SealedValues): Promise<Readability> {
  const total = { ...values, count: 0, unreadable: 0 };
  for (let after = "", isMore = true; isMore; ) {
    const rows = await runComposed(db.query, readOtherKeys, { ...values, kid: NO_KEY, after });
    for (const { row, sealed } of rows) {
      after = row;
      total.count += 1;
      if (sealed === null || !opens(values, row, sealed)) total.unreadable += 1;
    }
    isMore = rows.length === BATCH;
  }
  return total;
}

/** The id of no key, so that values of all keys are other ones. */
const NO_KEY = "";

function opens(values: SealedValues, row: string, sealed: string): boolean {
  try {
    unseal(sealed, placeOf(values, row));
    return true;
  } catch {
    return false;
  }
}

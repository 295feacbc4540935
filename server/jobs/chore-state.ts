import { type Database, db } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import { run } from "@/server/db/statement";
import {
  choreAges,
  claimChoreAtTick,
  claimLateChore,
  keepChores,
  noteChoreDone,
  renewChoreClaim,
} from "@/server/jobs/chore-state.sql";
import { chores } from "@/server/jobs/chores";

/** Longer than a piece takes. After that another process takes over from one that died. */
const CLAIM_S = 300;

export interface LateChore {
  id: string;
  /** Seconds since the chore was done. */
  age: number;
}

/** Creates the rows of chores that have none. */
export async function openChores(database: Database): Promise<void> {
  await run(database.query, keepChores, [Object.keys(chores)]);
}

/** Notes that a chore has been done to its end. */
export async function choreDone(database: Database, id: string): Promise<void> {
  await run(database.query, noteChoreDone, [id, databaseTime()]);
}

/** Claims a chore that is late by twice its interval, or was begun and not done: of many processes that look, one gets it. */
export async function claimLate(database: Database): Promise<LateChore | undefined> {
  const intervals = Object.values(chores).map(({ everyS }) => everyS);
  const values = [databaseTime(), Object.keys(chores), intervals, CLAIM_S];
  const [late] = await run(database.query, claimLateChore, values);
  return late;
}

/** Claims a chore that was not done since a tick of its cron. Returns false when another process has done or claimed it. */
export async function claimTick(database: Database, id: string, tick: Date): Promise<boolean> {
  return (await run(database.query, claimChoreAtTick, [databaseTime(), id, tick, CLAIM_S])).length > 0;
}

/** Extends the claim for another piece. */
export async function renewClaim(database: Database, id: string): Promise<void> {
  await run(database.query, renewChoreClaim, [databaseTime(), id, CLAIM_S]);
}

/** Reads the seconds since each chore was done. */
export function readChoreAges(): Promise<LateChore[]> {
  return run(db().query, choreAges, [databaseTime()]);
}

/** Adds to the ages how often each chore runs, and omits those that this version doesn't have. */
export function knownAges(ages: readonly LateChore[]): { id: string; age: number; everyS: number }[] {
  return ages.flatMap(({ id, age }) => (chores[id] ? [{ id, age, everyS: chores[id].everyS }] : []));
}

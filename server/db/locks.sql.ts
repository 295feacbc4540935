import { bool, statement, text } from "@/server/db/statement";

/** Takes the lock of one thing among many: its number and the id. False: another transaction holds it. */
export const tryLockOne = statement<{ taken: boolean }>("SELECT pg_try_advisory_xact_lock($1, hashtext($2)) AS taken", {
  taken: bool,
});

/** Waits for the lock of one thing among many: its number and the id. */
export const lockOne = statement<{ locked: string }>("SELECT pg_advisory_xact_lock($1, hashtext($2))::text AS locked", {
  locked: text,
});

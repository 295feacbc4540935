import { bool, statement } from "@/server/db/statement";

/** Takes the lock of one thing among many: its number and the id. False: another transaction holds it. */
export const tryLockOne = statement<{ taken: boolean }>("SELECT pg_try_advisory_xact_lock($1, hashtext($2)) AS taken", {
  taken: bool,
});

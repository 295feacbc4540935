import { float8, statement, text } from "@/server/db/statement";

/** In milliseconds since 1970. */
export const databaseNow = statement<{ now: number }>(
  "SELECT floor(date_part('epoch', clock_timestamp()) * 1000) AS now",
  { now: float8 },
);

/** To the microsecond, as PostgreSQL writes it. */
export const databaseTimeText = statement<{ now: string }>("SELECT clock_timestamp()::text AS now", { now: text });

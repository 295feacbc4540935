import { float8, statement } from "@/server/db/statement";

/** In milliseconds since 1970. */
export const databaseNow = statement<{ now: number }>(
  "SELECT floor(date_part('epoch', clock_timestamp()) * 1000) AS now",
  { now: float8 },
);

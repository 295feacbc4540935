import { statement, text } from "@/server/db/statement";

/** The application with a client ID in any case, the same case first, if it is one of some; null: of any. There are few applications. */
export const applicationByClientId = statement<{ id: string }>(
  `SELECT id FROM applications WHERE lower(client_id) = lower($1) AND ($2::text[] IS NULL OR id = ANY ($2))
ORDER BY (client_id = $1) DESC LIMIT 1`,
  { id: text },
);

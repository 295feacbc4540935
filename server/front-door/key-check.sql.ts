import { statement, text } from "@/server/db/statement";

/** One secret for each key that any is sealed with. */
export const secretOfEachKey = statement<{ id: string; sealed: string; kid: string }>(
  `SELECT DISTINCT ON (split_part(sealed, '.', 2)) id, sealed, split_part(sealed, '.', 2) AS kid
FROM client_secrets ORDER BY split_part(sealed, '.', 2), id`,
  { id: text, sealed: text, kid: text },
);

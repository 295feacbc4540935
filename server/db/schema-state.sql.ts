import { PROCESS_PREFIX } from "@/server/db/process-name";
import { bool, int4, statement, text } from "@/server/db/statement";

/** Whether the database has a migration. Without a name: whether it responds. */
export const schemaState = statement<{ migrated: boolean }>(
  `SELECT $1::text IS NULL OR EXISTS (SELECT FROM _prisma_migrations
  WHERE migration_name = $1 AND finished_at IS NOT NULL AND rolled_back_at IS NULL) AS migrated`,
  { migrated: bool },
);

/** Where processes run that know no migration as new as the one of the given process name. */
export const olderProcesses = statement<{ place: string; connections: number }>(
  `SELECT coalesce(host(client_addr), 'this machine') AS place, count(*)::int AS connections FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name LIKE '${PROCESS_PREFIX}2%'
    AND application_name COLLATE "C" < $1::text GROUP BY 1 ORDER BY 1`,
  { place: text, connections: int4 },
);

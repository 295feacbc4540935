import { bool, statement } from "@/server/db/statement";

/** Whether the database has a migration. Without a name: whether it responds. */
export const schemaState = statement<{ migrated: boolean }>(
  `SELECT $1::text IS NULL OR EXISTS (SELECT FROM _prisma_migrations
  WHERE migration_name = $1 AND finished_at IS NOT NULL AND rolled_back_at IS NULL) AS migrated`,
  { migrated: bool },
);

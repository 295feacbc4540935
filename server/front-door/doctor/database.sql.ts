import { bool, float8, int4, statement, text } from "@/server/db/statement";

export interface ServerState {
  version: string;
  maxConnections: number;
  /** Of the connections, for superusers alone. */
  reserved: number;
  connections: number;
  autovacuum: boolean;
  statementTimeoutMs: number;
  timeZone: string;
  bytes: number;
}

/** What a server is set to, how many connections it has, and how large the database is. */
export const serverState = statement<ServerState>(
  `SELECT current_setting('server_version') AS version, current_setting('max_connections')::int AS "maxConnections",
  current_setting('superuser_reserved_connections')::int AS reserved,
  (SELECT count(*)::int FROM pg_stat_activity WHERE backend_type = 'client backend') AS connections,
  current_setting('autovacuum')::bool AS autovacuum,
  coalesce((SELECT setting::int FROM pg_settings WHERE name = 'statement_timeout'), 0) AS "statementTimeoutMs",
  current_setting('TimeZone') AS "timeZone", pg_database_size(current_database())::float8 AS bytes`,
  {
    ...{ version: text, maxConnections: int4, reserved: int4, connections: int4, autovacuum: bool },
    ...{ statementTimeoutMs: int4, timeZone: text, bytes: float8 },
  },
);

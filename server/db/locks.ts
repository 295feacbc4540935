/** PostgreSQL's advisory locks are numbers, shared by all of a database: every number that Almanac locks is here. */
export const locks = {
  /** One migration at a time. Prisma's own `migrate deploy` locks the same number. */
  migrations: 72_707_369,
  /** One process starts at a time; the migrations run inside. */
  startup: 72_707_370,
  /** One process runs online migrations, for as long as its connection lives. */
  onlineMigrations: 72_707_371,
  /** Partitions are created one after another. */
  partitions: 7_302_611,
  /** With an account's id: its signals become deliveries in one place at a time. */
  accountSignals: 7_302_620,
  /** Claims of deliveries share this. The version before claims while it holds it alone. */
  deliveryClaims: 7_302_621,
  /** Claims of writes to providers share this. The version before claims while it holds it alone. */
  providerWriteClaims: 7_302_623,
  /** Who is invited, and who becomes a developer, is settled for one at a time. */
  invitations: 7_302_624,
  /** What is wrong is noted by one process at a time. */
  alerts: 7_302_625,
  /** Saved views are counted and named one at a time. */
  savedViews: 7_302_627,
} as const;

export type AdvisoryLock = (typeof locks)[keyof typeof locks];

/** Writes SQL that waits for a lock. The transaction holds it until it ends. */
export const lockStatement = (lock: AdvisoryLock): string => `SELECT pg_advisory_xact_lock(${lock})`;

import { staffProcedure } from "@/server/services/staff/procedure/trpc";
import { readProviderHealth } from "@/server/services/staff/providers/health";
import type { ProviderHealth } from "@/server/services/staff/providers/shapes";

/** Reads the health of the providers of calendars, for all applications together. */
export const showProviders = staffProcedure.query(
  async ({ ctx: { db, now } }): Promise<ProviderHealth[]> => await readProviderHealth(db.query, now),
);

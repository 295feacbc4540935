import { readProfiles } from "@/server/services/profiles/read";
import { accountProcedure } from "@/server/services/trpc";

/** GET /v1/profiles: `{ profiles }`. */
export const listProfiles = accountProcedure.query(async ({ ctx }) => ({
  profiles: await readProfiles(ctx.db, ctx.bearer.accountId, ctx.names),
}));

import { rawInput } from "@/server/services/input";
import { audit } from "@/server/services/staff/audit/audit";
import { createStaffCaller, scopedProcedure, staffRouter } from "@/server/services/staff/procedure/trpc";

/** The lists that have a file. */
export type ExportedList = "deliveries" | "requests" | "audit";

interface Export {
  list: ExportedList;
  filters: Record<string, unknown>;
}

/**
 * Procedures for the routes that export lists as files. Not part of `staffApi`: a browser could record an export that
 * never happened.
 */
const exportApi = staffRouter({
  /** Records that the operator exports a list as a file, and which part of it. */
  note: scopedProcedure
    .input(rawInput((raw) => raw as Export))
    .mutation(async ({ ctx, input: { list, filters } }): Promise<void> => {
      await audit(ctx.db.prisma, ctx, { action: `${list}.exported`, object: list, detail: filters });
    }),
});

export const exportCaller = createStaffCaller(exportApi);

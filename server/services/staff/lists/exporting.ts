import { rawInput } from "@/server/services/input";
import { auditAlone } from "@/server/services/staff/audit/audit";
import { createStaffCaller, scopedProcedure, staffRouter } from "@/server/services/staff/procedure/trpc";

interface Export {
  list: "deliveries" | "requests";
  filters: Record<string, unknown>;
}

/** For the routes that give lists as files. Not part of `staffApi`: a browser could note what never happened. */
const exportApi = staffRouter({
  /** Notes that the operator takes a list away as a file, and which part of it. */
  note: scopedProcedure
    .input(rawInput((raw) => raw as Export))
    .mutation(async ({ ctx, input: { list, filters } }): Promise<void> => {
      await auditAlone(ctx.db, ctx, { action: `${list}.exported`, object: list, detail: filters });
    }),
});

export const exportCaller = createStaffCaller(exportApi);

import { z } from "zod";
import { text } from "@/server/services/fields";
import { staffInput } from "@/server/services/input";
import { Refusal } from "@/server/services/refusal";
import type { ApplicationHead } from "@/server/services/staff/applications/shapes";
import { scopedProcedure } from "@/server/services/staff/procedure/trpc";

/** Reads the header of an application's pages. Throws not_found. */
export const headApplication = scopedProcedure
  .input(staffInput(z.object({ id: text({ min: 1, max: 100 }) })))
  .query(async ({ input: { id }, ctx: { db, scope } }): Promise<ApplicationHead> => {
    await scope.expect("application", id);
    const head = await db.prisma.application.findUnique({
      select: {
        ...{ id: true, name: true, plan: true, compatibilityMode: true, editForeignEvents: true },
        ...{ mcpWrites: true, publicClient: true, connectSuccessPage: true, selfRegistered: true },
        ...{ disabledAt: true, deletedAt: true },
      },
      where: { id },
    });
    if (!head) throw new Refusal({ kind: "not_found" });
    const { disabledAt, deletedAt, ...rest } = head;
    return { ...rest, disabledAt: disabledAt?.toISOString() ?? null, isDeleted: deletedAt !== null };
  });

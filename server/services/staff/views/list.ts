import { z } from "zod";
import { staffInput } from "@/server/services/input";
import { ownProcedure } from "@/server/services/staff/procedure/trpc";
import { type SavedView, type ViewedList, viewedLists } from "@/server/services/staff/views/shapes";

export const viewedList = z.enum(Object.keys(viewedLists) as [ViewedList, ...ViewedList[]]);

/** Lists the operator's own views by list and name: those of one list, or all. Throws invalid. */
export const listViews = ownProcedure
  .input(staffInput(z.object({ list: viewedList.optional() }).prefault({})))
  .query(async ({ ctx, input: { list } }): Promise<SavedView[]> => {
    const views = await ctx.db.prisma.savedView.findMany({
      select: { id: true, list: true, name: true, query: true },
      where: { operatorId: ctx.operator.id, ...(list && { list }) },
      orderBy: [{ list: "asc" }, { name: "asc" }],
    });
    // A list that is no more has no page.
    return views.flatMap((view) => (isViewed(view.list) ? [{ ...view, list: view.list }] : []));
  });

function isViewed(list: string): list is ViewedList {
  return Object.hasOwn(viewedLists, list);
}

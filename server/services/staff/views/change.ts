import { z } from "zod";
import type { TransactionWork } from "@/server/db/client";
import { locks } from "@/server/db/locks";
import { newId } from "@/server/db/new-id";
import { nameOf, text } from "@/server/services/fields";
import { staffInput } from "@/server/services/input";
import { invalid, Refusal } from "@/server/services/refusal";
import { ownProcedure } from "@/server/services/staff/procedure/trpc";
import { MAX_VIEW_NAME, MAX_VIEW_QUERY, MOST_VIEWS } from "@/server/services/staff/views/limits";
import { viewedList } from "@/server/services/staff/views/list";

type Prisma = Parameters<TransactionWork<unknown>>[1];

const id = text({ min: 1, max: 100 });
const name = nameOf({ max: MAX_VIEW_NAME });
const query = text({ min: 1, max: MAX_VIEW_QUERY });

/** Saves filters and an order of a list under a name. Throws invalid, also for a name in use, and conflict for one view too many. */
export const createView = ownProcedure
  .input(staffInput(z.object({ list: viewedList, name, query })))
  .mutation(async ({ ctx, input }): Promise<{ id: string }> => {
    const operatorId = ctx.operator.id;
    return await ctx.db.transaction(async (_query, prisma) => {
      const { list } = input;
      await expectFree(prisma, { operatorId, list, name: input.name });
      if ((await prisma.savedView.count({ where: { operatorId, list } })) >= MOST_VIEWS) {
        const text = `A list has at most ${MOST_VIEWS} saved views. Delete one first.`;
        throw new Refusal({ kind: "conflict", text });
      }
      const data = { id: newId("svw"), operatorId, ...input, createdAt: new Date(ctx.now) };
      return await prisma.savedView.create({ select: { id: true }, data });
    }, locks.savedViews);
  });

/** Renames one of the operator's views or saves other filters in it. Throws invalid and not_found. */
export const updateView = ownProcedure
  .input(staffInput(z.object({ id, name: name.optional(), query: query.optional() })))
  .mutation(async ({ ctx, input: { id, ...data } }): Promise<void> => {
    const operatorId = ctx.operator.id;
    await ctx.db.transaction(async (_query, prisma) => {
      const view = await prisma.savedView.findFirst({ select: { list: true }, where: { id, operatorId } });
      if (!view) throw new Refusal({ kind: "not_found" });
      if (data.name !== undefined) await expectFree(prisma, { operatorId, list: view.list, name: data.name, id });
      await prisma.savedView.update({ select: { id: true }, where: { id, operatorId }, data });
    }, locks.savedViews);
  });

/** Deletes one of the operator's views. Throws not_found. */
export const deleteView = ownProcedure.input(staffInput(z.object({ id }))).mutation(async ({ ctx, input: { id } }) => {
  const { count } = await ctx.db.prisma.savedView.deleteMany({ where: { id, operatorId: ctx.operator.id } });
  if (count === 0) throw new Refusal({ kind: "not_found" });
});

interface NamedView {
  operatorId: string;
  list: string;
  name: string;
  /** The view that has the name already. */
  id?: string;
}

async function expectFree(prisma: Prisma, { id = "", ...named }: NamedView): Promise<void> {
  const other = await prisma.savedView.findFirst({ select: { id: true }, where: { ...named, id: { not: id } } });
  if (other)
    throw invalid({
      path: ["name"],
      key: "errors.invalid_value",
      description: "name is already used by another view of this list",
    });
}

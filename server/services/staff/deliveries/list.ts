import { z } from "zod";
import type { Connection, Query } from "@/server/db/client";
import { runComposed, runComposedOne } from "@/server/db/composed";
import { staffInput } from "@/server/services/input";
import { deliveryFilter, deliveryFilters } from "@/server/services/staff/deliveries/filters";
import { type NarrowedFilters, narrow } from "@/server/services/staff/deliveries/narrow";
import { newestRows, oldestRows } from "@/server/services/staff/deliveries/newest";
import { placeOf, rowOf, type StoredRow } from "@/server/services/staff/deliveries/rows";
import { deliveryCount, deliveryPage, nextAttempts } from "@/server/services/staff/deliveries/searches.sql";
import { type DeliveryRow, type DeliverySort, deliveryList } from "@/server/services/staff/lists/deliveries";
import {
  type Count,
  cappedCount,
  expectOrder,
  MOST_COUNTED,
  type Page,
  type PartCursor,
  pageOf,
  paging,
  sorting,
} from "@/server/services/staff/lists/paging";
import { scopedProcedure } from "@/server/services/staff/procedure/trpc";
import { attemptsOfAny } from "@/server/store/deliveries/attempts-of";

/** The parts of the list in the order of next attempts: what is pending, and everything else. */
const PARTS = 2;

/** Lists deliveries, the newest first unless sorted. Throws invalid. */
export const listDeliveries = scopedProcedure
  .input(
    staffInput(z.object({ ...deliveryFilters, ...paging("whd", { parts: PARTS }), ...sorting(deliveryList.sorts) })),
  )
  .query(async ({ ctx, input: { after, limit, sort, ...filters } }): Promise<Page<DeliveryRow>> => {
    expectOrder({ after, sort }, deliveryList.sorts);
    const narrowed = await narrow(ctx.db.query, filters, ctx.scope.applications);
    if (narrowed === null) return { items: [], next: null };
    return await readDeliveries(ctx.db, { narrowed, after, limit, now: ctx.now, sort });
  });

interface DeliveriesOf {
  narrowed: NarrowedFilters;
  after?: PartCursor;
  limit: number;
  now: number;
  sort?: DeliverySort;
}

/** A row with its place in the list. */
type PlacedRow = StoredRow & { place: PartCursor };

export async function readDeliveries(
  { query, prisma }: Connection,
  { limit, sort = "newest", ...search }: DeliveriesOf,
): Promise<Page<DeliveryRow>> {
  const rows = await readIn[sort](query, { ...search, limit: limit + 1 });
  const ofStaff = await attemptedManually(prisma, rows);
  const item = ({ place: _, ...row }: PlacedRow) => rowOf(row, { manual: ofStaff.has(row.id) });
  return pageOf(rows, { limit, place: ({ place }) => place, item });
}

type Read = (query: Query, search: Omit<DeliveriesOf, "sort">) => Promise<PlacedRow[]>;

const readIn: Record<DeliverySort, Read> = {
  newest: async (query, search) => placed(await newestRows(query, deliveryPage, search)),
  oldest: async (query, search) => placed(await oldestRows(query, deliveryPage, search), { sort: "oldest" }),
  nextAttempt: async (query, { narrowed, after, limit, now }) => {
    const { states } = narrowed;
    const isAny = states.length === 0;
    const isInFirst = (after?.part ?? 0) === 0;
    const rows: PlacedRow[] = [];
    if (isInFirst && (isAny || states.includes("pending"))) {
      const pending = await runComposed(query, nextAttempts, { narrowed, after, limit });
      const place = { sort: "nextAttempt", part: 0 };
      rows.push(...pending.map(({ dueAt, ...row }) => ({ ...row, place: { ...place, at: dueAt, id: row.id } })));
    }
    const others = isAny ? ["delivered", "failed", "cancelled"] : states.filter((state) => state !== "pending");
    const left = limit - rows.length;
    if (others.length === 0 || left === 0) return rows;
    const search = {
      narrowed: { ...narrowed, states: others },
      after: isInFirst ? undefined : after,
      limit: left,
      now,
    };
    const finished = await newestRows(query, deliveryPage, search);
    return [...rows, ...placed(finished, { sort: "nextAttempt", part: 1 })];
  },
};

function placed(rows: readonly StoredRow[], of: Pick<PartCursor, "sort" | "part"> = {}): PlacedRow[] {
  return rows.map((row) => ({ ...row, place: { ...placeOf(row), ...of } }));
}

/**
 * Finds the deliveries with attempts that staff requested. Attempts beside the schedule are rare, so only their
 * deliveries are looked up.
 */
async function attemptedManually(
  prisma: Connection["prisma"],
  rows: readonly StoredRow[],
): Promise<ReadonlySet<string>> {
  const some = rows.filter(({ manualAttempts }) => manualAttempts > 0);
  if (some.length === 0) return new Set();
  const attempts = await prisma.attempt.findMany({
    select: { deliveryId: true },
    where: { ...attemptsOfAny(some), manual: true },
  });
  return new Set(attempts.map(({ deliveryId }) => deliveryId));
}

/** Counts matching deliveries, up to 10,000. Throws invalid. */
export const countDeliveries = scopedProcedure
  .input(staffInput(deliveryFilter))
  .query(async ({ ctx, input }): Promise<Count> => {
    const narrowed = await narrow(ctx.db.query, input, ctx.scope.applications);
    if (narrowed === null) return cappedCount(0);
    const row = await runComposedOne(ctx.db.query, deliveryCount, { narrowed, most: MOST_COUNTED + 1 });
    return cappedCount(row.n);
  });

import { z } from "zod";
import { runComposed } from "@/server/db/composed";
import { endpointOf } from "@/server/domain/channels/endpoint";
import { text } from "@/server/services/fields";
import { patternsOf } from "@/server/services/staff/deliveries/endpoint-search";
import { isWholeId, looksLikeId } from "@/server/services/staff/lists/ids";
import { beginning } from "@/server/services/staff/lists/like";
import { staffInput } from "@/server/services/staff/procedure/staff-input";
import { scopedProcedure } from "@/server/services/staff/procedure/trpc";
import type { FoundThing } from "@/server/services/staff/search/shapes";
import { type IdKind, type StoredThing, thingsById, thingsLike } from "@/server/services/staff/search/things.sql";

/** One letter begins everything. */
const FEWEST = 2;
/** A text that may be the id that a caller gave a request. */
const REQUEST_ID = /^[\w.:-]{8,200}$/;

/** What a text means while it is typed: the thing with this id, or things that begin like it. One statement. */
export const findThings = scopedProcedure
  .input(staffInput(z.object({ q: text({ max: 320 }).default("") }).prefault({})))
  .query(async ({ ctx, input }): Promise<FoundThing[]> => {
    const q = input.q.trim();
    if (q.length < FEWEST) return [];
    const { applications } = ctx.scope;
    const kind = idKind(q);
    if (kind) {
      const things = await runComposed(ctx.db.query, thingsById, { kind, id: q, applications });
      if (things.length > 0 || kind === "log" || isWholeId(q)) return things.map(found);
    }
    const rows = await runComposed(ctx.db.query, thingsLike, {
      part: `%${beginning(q)}`,
      begins: beginning(q),
      endpoints: patternsOf(q),
      request: REQUEST_ID.test(q) ? q : null,
      applications,
    });
    return rows.map(found).sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind) || (a.name < b.name ? -1 : 1));
  });

const order: FoundThing["kind"][] = ["application", "account", "endpoint", "delivery", "request"];

function idKind(q: string): IdKind | null {
  if (/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(q)) return "log";
  if (!looksLikeId(q)) return null;
  const prefix = q.slice(0, 3);
  return prefix === "apc" ? "acc" : (prefix as IdKind);
}

function found(row: StoredThing): FoundThing {
  const isCallback = row.kind === "endpoint" || row.kind === "delivery";
  return isCallback ? { ...row, name: endpointOf(row.name) } : row;
}

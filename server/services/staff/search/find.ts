import { z } from "zod";
import { runComposed } from "@/server/db/composed";
import { endpointOf } from "@/server/domain/channels/endpoint";
import { MAX_CALLBACK_URL } from "@/server/domain/text-limits";
import { text } from "@/server/services/fields";
import { staffInput } from "@/server/services/input";
import { partsOf, patternsOf } from "@/server/services/staff/deliveries/endpoint-search";
import { prefixPattern } from "@/server/services/staff/lists/like";
import { type Meaning, meaningOf } from "@/server/services/staff/lists/meaning";
import { scopedProcedure } from "@/server/services/staff/procedure/trpc";
import type { FoundThing } from "@/server/services/staff/search/shapes";
import {
  applicationsLike,
  deliveryById,
  type IdKind,
  objectsById,
  objectsLike,
  type StoredSearchResult,
} from "@/server/services/staff/search/things.sql";
import { findDelivery } from "@/server/store/deliveries/days";

/** A single letter matches everything. */
const FEWEST = 2;

/** Finds what a text means while it is typed: the object with this id, or objects that begin like it. One statement. */
export const findObjects = scopedProcedure
  .input(staffInput(z.object({ q: text({ max: MAX_CALLBACK_URL }).default("") }).prefault({})))
  .query(async ({ ctx, input }): Promise<FoundThing[]> => {
    const q = input.q.trim();
    if (q.length < FEWEST) return [];
    const { applications } = ctx.scope;
    const meaning = meaningOf(q);
    const kind = idKind(meaning);
    if (kind) {
      const things =
        kind === "whd"
          ? await findDelivery(q, (days) => runComposed(ctx.db.query, deliveryById, { id: q, days, applications }))
          : await runComposed(ctx.db.query, objectsById, { kind, id: q, applications });
      if (things.length > 0 || kind === "log" || meaning.isWholeId) return things.map(resultOf);
    }
    const rows = await runComposed(ctx.db.query, objectsLike, {
      part: `%${prefixPattern(q)}`,
      begins: prefixPattern(q),
      text: q,
      endpoints: { ...patternsOf(meaning), parts: partsOf(q) },
      request: meaning.mayBeRequest ? q : null,
      applications,
    });
    return rows
      .map(resultOf)
      .sort(
        (a, b) =>
          order.indexOf(a.kind) - order.indexOf(b.kind) ||
          Number(a.state === "deleted") - Number(b.state === "deleted") ||
          (a.name < b.name ? -1 : 1),
      );
  });

/** Finds some applications whose name or client ID contains this text; the first ones for an empty text. */
export const findApplications = scopedProcedure
  .input(staffInput(z.object({ q: text({ max: MAX_CALLBACK_URL }).default("") }).prefault({})))
  .query(async ({ ctx, input }): Promise<FoundThing[]> => {
    const q = input.q.trim();
    const { applications } = ctx.scope;
    const rows = await runComposed(ctx.db.query, applicationsLike, {
      part: `%${prefixPattern(q)}`,
      begins: prefixPattern(q),
      applications,
    });
    return rows.map(resultOf);
  });

const order: FoundThing["kind"][] = ["application", "account", "endpoint", "event", "delivery", "request"];

function idKind({ prefix, isLogId }: Meaning): IdKind | "whd" | null {
  if (isLogId) return "log";
  if (prefix === "opr") return null;
  return prefix === "apc" ? "acc" : prefix;
}

function resultOf(thing: StoredSearchResult): FoundThing {
  if (thing.kind === "endpoint" || thing.kind === "delivery") return { ...thing, name: endpointOf(thing.name) };
  return thing;
}

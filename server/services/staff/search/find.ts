import { z } from "zod";
import { runComposed } from "@/server/db/composed";
import { findDelivery } from "@/server/db/delivery-days";
import { endpointOf } from "@/server/domain/channels/endpoint";
import { MAX_CALLBACK_URL } from "@/server/domain/text-limits";
import type { Instant } from "@/server/domain/time/instant";
import { toLocal, zone } from "@/server/domain/time/zone";
import { text } from "@/server/services/fields";
import { patternsOf } from "@/server/services/staff/deliveries/endpoint-search";
import { isWholeId, looksLikeId } from "@/server/services/staff/lists/ids";
import { beginning } from "@/server/services/staff/lists/like";
import { staffInput } from "@/server/services/staff/procedure/staff-input";
import { scopedProcedure } from "@/server/services/staff/procedure/trpc";
import type { FoundThing } from "@/server/services/staff/search/shapes";
import {
  applicationsLike,
  deliveryById,
  type IdKind,
  type StoredThing,
  thingsById,
  thingsLike,
} from "@/server/services/staff/search/things.sql";

/** One letter begins everything. */
const FEWEST = 2;
/** A text that may be the id that a caller gave a request. */
const REQUEST_ID = /^[\w.:-]{8,200}$/;

/** What a text means while it is typed: the thing with this id, or things that begin like it. One statement. */
export const findThings = scopedProcedure
  .input(staffInput(z.object({ q: text({ max: MAX_CALLBACK_URL }).default("") }).prefault({})))
  .query(async ({ ctx, input }): Promise<FoundThing[]> => {
    const q = input.q.trim();
    if (q.length < FEWEST) return [];
    const { applications } = ctx.scope;
    const kind = idKind(q);
    if (kind) {
      const things =
        kind === "whd"
          ? await findDelivery(q, (days) => runComposed(ctx.db.query, deliveryById, { id: q, days, applications }))
          : await runComposed(ctx.db.query, thingsById, { kind, id: q, applications });
      if (things.length > 0 || kind === "log" || isWholeId(q)) return things.map(found);
    }
    const rows = await runComposed(ctx.db.query, thingsLike, {
      part: `%${beginning(q)}`,
      begins: beginning(q),
      text: q,
      endpoints: patternsOf(q),
      request: REQUEST_ID.test(q) ? q : null,
      applications,
    });
    return rows.map(found).sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind) || (a.name < b.name ? -1 : 1));
  });

/** Some applications whose name or client ID has this text; the first ones of nothing. */
export const findApplications = scopedProcedure
  .input(staffInput(z.object({ q: text({ max: MAX_CALLBACK_URL }).default("") }).prefault({})))
  .query(async ({ ctx, input }): Promise<FoundThing[]> => {
    const q = input.q.trim();
    const { applications } = ctx.scope;
    const rows = await runComposed(ctx.db.query, applicationsLike, {
      part: `%${beginning(q)}`,
      begins: beginning(q),
      applications,
    });
    return rows.map(found);
  });

const order: FoundThing["kind"][] = ["application", "account", "endpoint", "event", "delivery", "request"];

function idKind(q: string): IdKind | "whd" | null {
  if (/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(q)) return "log";
  if (/^evt_[\da-f]+$/.test(q)) return "evt";
  if (!looksLikeId(q)) return null;
  const prefix = q.slice(0, 3);
  return prefix === "apc" ? "acc" : (prefix as IdKind);
}

function found({ accountId, calendarId, starts, tzid, ...thing }: StoredThing): FoundThing {
  if (thing.kind === "endpoint" || thing.kind === "delivery") return { ...thing, name: endpointOf(thing.name) };
  if (accountId === null || calendarId === null || starts === null) return thing;
  return { ...thing, place: { accountId, calendarId, day: dayIn(tzid, starts) } };
}

function dayIn(tzid: string | null, starts: Date): string {
  const at = starts.getTime() as Instant;
  const own = tzid === null ? null : zone(tzid);
  return new Date(own ? toLocal(own, at) : at).toISOString().slice(0, 10);
}

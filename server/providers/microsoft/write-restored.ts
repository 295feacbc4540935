import type { EventState, StoredIcalRecurrence } from "@/server/domain/events/event-state";
import type { GraphApi, GraphRequest } from "@/server/providers/microsoft/api";
import { batched } from "@/server/providers/microsoft/batch";
import { etagOf, type Item } from "@/server/providers/microsoft/item";
import { RESTORING, RESTORING_PROPERTY } from "@/server/providers/microsoft/properties";
import { AS_TEXT, eventPath, itemRequest } from "@/server/providers/microsoft/series-items";
import { lostDays } from "@/server/providers/microsoft/write-exceptions";
import { faultOf, handled, itemIn } from "@/server/providers/microsoft/write-faults";
import { readAs } from "@/server/providers/microsoft/write-merged";
import { firstAlone, inOtherWords, type Recurrence, recurrenceOf } from "@/server/providers/microsoft/write-recurrence";
import { ChangedSince, Refused } from "@/server/providers/writing";

export interface Restoring {
  calendarId: string;
  main: Item;
  state: EventState;
  series: StoredIcalRecurrence;
}

/**
 * Brings back deleted occurrences, for which Graph has no request: a series whose recurrence changes has all its occurrences again, and
 * none of its exceptions. The recurrence is said in other words, or where that is not enough, cut short and said again. A property tells
 * until the exceptions are there again that it was not others who took them away.
 */
export async function restored(api: GraphApi, restoring: Restoring): Promise<Item> {
  const { main, state, series } = restoring;
  const found = recurrenceOf(state, main);
  if (!found || "refused" in found) throw new Refused("occurrence_not_restored");
  const { recurrence } = found;
  const other = inOtherWords(recurrence, main);
  for (const ways of [...(other ? [[other]] : []), [firstAlone(recurrence), recurrence]]) {
    const after = await rewritten(api, restoring, ways);
    if (lostDays(await readAs(after, state), state, series).length === 0) return after;
    restoring = { ...restoring, main: after };
  }
  throw new Refused("occurrence_not_restored");
}

async function rewritten(api: GraphApi, { calendarId, main }: Restoring, ways: readonly Recurrence[]): Promise<Item> {
  const patches = ways.map((recurrence, i): GraphRequest => {
    const singleValueExtendedProperties = [{ id: RESTORING_PROPERTY, value: RESTORING }];
    return {
      ...{ kind: "change_event", method: "PATCH", path: eventPath(calendarId, main.id) },
      ...{ prefer: [AS_TEXT], accepts: handled },
      ...{ body: { recurrence, singleValueExtendedProperties }, etag: i === 0 ? etagOf(main) : null },
    };
  });
  const done = await batched(api, [...patches, itemRequest(calendarId, main.id)]);
  const failed = done.find(({ verdict }) => verdict !== null);
  const after = done.at(-1);
  if (failed || !after) throw failed ? faultOf(failed) : new ChangedSince();
  return itemIn(after);
}

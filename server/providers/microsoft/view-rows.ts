import { textOf } from "@/server/providers/json-values";
import { etagOf, type Item, isRemoved, isSeries, seriesOf } from "@/server/providers/microsoft/item";

/** What a round of change tracking has said so far. Of several rows with one id the last one counts. */
export interface ViewRows {
  singles: Map<string, Item>;
  series: Map<string, SeriesRows>;
  removed: Set<string>;
  /** The latest `lastModifiedDateTime`. */
  latest: string | null;
}

/** What was said of a series: some of its occurrences, most with hardly more than an id. */
export interface SeriesRows {
  /** The etag of the series itself, if it was among them. */
  etag: string | null;
  /** Its exceptions and their etags. */
  exceptions: Map<string, string | null>;
  ids: Set<string>;
}

export function newRows(latest: string | null = null): ViewRows {
  return { singles: new Map(), series: new Map(), removed: new Set(), latest };
}

export function takeRow(rows: ViewRows, item: Item): void {
  const { singles, series, removed } = rows;
  rows.latest = laterOf(rows.latest, item);
  const of = seriesOf(item);
  if (isRemoved(item)) {
    for (const known of [singles, series]) known.delete(item.id);
    removed.add(item.id);
  } else if (of !== null || isSeries(item)) {
    singles.delete(item.id);
    removed.delete(of ?? item.id);
    takeOccurrence(entryOf(series, of ?? item.id), item);
  } else {
    removed.delete(item.id);
    singles.set(item.id, item);
  }
}

/** Returns the later time. All of Graph are written alike, so that their order is that of their texts. */
export function laterOf(latest: string | null, item: Item): string | null {
  const modified = textOf(item.lastModifiedDateTime);
  return modified !== null && modified > (latest ?? "") ? modified : latest;
}

function takeOccurrence(rows: SeriesRows, item: Item): void {
  if (seriesOf(item) === null) {
    rows.etag = etagOf(item);
    return;
  }
  rows.ids.add(item.id);
  if (item.type === "exception") rows.exceptions.set(item.id, etagOf(item));
}

function entryOf(series: Map<string, SeriesRows>, id: string): SeriesRows {
  const entry = series.get(id) ?? { etag: null, exceptions: new Map(), ids: new Set() };
  series.set(id, entry);
  return entry;
}

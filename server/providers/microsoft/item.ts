import { listOf, textOf } from "@/server/providers/json-values";

/** An event as Graph has it. Of an occurrence in a delta there is hardly more than its id, its series and its times. */
export type Item = Record<string, unknown> & { id: string };

/** The items of a page; what has no id is no event. Ids are compared byte by byte. */
export function itemsOf(value: unknown): Item[] {
  return listOf(value).filter((item): item is Item => typeof item.id === "string");
}

/** Null: none is given. */
export function etagOf(item: Item): string | null {
  return textOf(item["@odata.etag"]);
}

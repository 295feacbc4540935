import type { Verdict } from "@/server/domain/provider-responses/verdicts";
import { down } from "@/server/providers/ask-json";
import { ProviderError } from "@/server/providers/connector";
import type { GraphResponse } from "@/server/providers/microsoft/api";
import { type Item, itemsOf } from "@/server/providers/microsoft/item";
import { ChangedSince, Refused } from "@/server/providers/writing";

/** What a write handles itself. */
export const handled: readonly Verdict[] = ["undo", "gone", "changed", "exists", "done"];

/** Gives the item of an accepted write. What a success does not say it has stored is tried again: it may not be Graph's response. */
export function itemIn(response: GraphResponse): Item {
  const [item] = response.verdict === null ? itemsOf([response.body]) : [];
  if (item) return item;
  throw response.verdict === null ? down("no_item") : faultOf(response);
}

export function faultOf({ verdict, reason }: GraphResponse): Error {
  if (verdict === "changed" || verdict === "exists") return new ChangedSince();
  if (verdict === "gone" || verdict === "done") return new ProviderError({ kind: "gone" }, reason);
  return new Refused(reason);
}

/** Tells whether a request has failed for another reason than that there is no such event. */
export function hasFailed({ verdict }: GraphResponse): boolean {
  return verdict !== null && verdict !== "gone" && verdict !== "done";
}

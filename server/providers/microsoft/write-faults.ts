import { ProviderError } from "@/server/providers/connector";
import type { GraphResponse } from "@/server/providers/microsoft/api";
import { type Item, itemsOf } from "@/server/providers/microsoft/item";

/** Graph said no for good. */
export class Refused extends Error {
  override name = "Refused";
  constructor(readonly reason: string) {
    super(reason);
  }
}
/** Others have changed the event since it was read. */
export class ChangedSince extends Error {
  override name = "ChangedSince";
}

/** The responses to a write that are given back, and not thrown. */
export const responses = [400, 403, 404, 409, 410, 412, 413];

/** The item of an accepted write. */
export function itemIn(response: GraphResponse): Item {
  const { status, body } = response;
  const [item] = status < 400 ? itemsOf([body]) : [];
  if (item) return item;
  throw faultOf(response);
}

export function faultOf(response: GraphResponse): Error {
  const { status, code } = response;
  if (status === 412 || code === "ErrorIrresolvableConflict") return new ChangedSince();
  if (isGone(response)) return new ProviderError({ kind: "gone" }, reasonOf(response));
  return new Refused(reasonOf(response));
}

export function isGone({ status }: GraphResponse): boolean {
  return status === 404 || status === 410;
}

export function reasonOf({ status, code }: GraphResponse): string {
  return `http_${status}${code && `_${code}`}`;
}

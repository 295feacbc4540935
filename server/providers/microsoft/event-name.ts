import { createHash } from "node:crypto";

/** Gives the `transactionId` of the event that a row becomes, a GUID: creating it twice makes one event. */
export function eventName(eventRow: string): string {
  const hex = createHash("sha256").update(`event ${eventRow}`).digest("hex");
  const variant = "89ab"[Number.parseInt(hex.charAt(16), 16) % 4];
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

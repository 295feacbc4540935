import { createHmac, timingSafeEqual } from "node:crypto";
import { derivedKeys } from "@/server/db/sealed";

const PURPOSE = "cursor";
const MAC_BYTES = 16;

/** The owner of a cursor: it is invalid for any other. */
export interface CursorOwner {
  accountId: string;
  endpoint: "events" | "free_busy" | "changes" | "assistant_previews";
}

/** Writes a list as opaque, signed text. */
export function signedCursor(content: readonly unknown[], owner: CursorOwner): string {
  const payload = Buffer.from(JSON.stringify(content));
  const [key] = derivedKeys(PURPOSE);
  if (!key) throw new Error("there is no key to sign cursors with");
  return Buffer.concat([sign(payload, key, owner), payload]).toString("base64url");
}

/** Reads what `signedCursor` wrote. Returns null when this service did not issue it for this account and endpoint. */
export function readSignedCursor(text: string, owner: CursorOwner): unknown[] | null {
  const bytes = Buffer.from(text, "base64url");
  if (bytes.length <= MAC_BYTES || bytes.toString("base64url") !== text) return null;
  const mac = bytes.subarray(0, MAC_BYTES);
  const payload = bytes.subarray(MAC_BYTES);
  const genuine = derivedKeys(PURPOSE).some((key) => timingSafeEqual(sign(payload, key, owner), mac));
  return genuine ? (JSON.parse(payload.toString("utf8")) as unknown[]) : null;
}

function sign(payload: Buffer, key: Buffer, { accountId, endpoint }: CursorOwner): Buffer {
  return createHmac("sha256", key).update(`${endpoint}|${accountId}|`).update(payload).digest().subarray(0, MAC_BYTES);
}

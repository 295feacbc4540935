import { createHash } from "node:crypto";

/** Makes the id that examples show for the `number`th of its kind, always the same. */
export function stableId(prefix: string, number: number): string {
  return `${prefix}_${digest(prefix, number).toString("hex").slice(0, 24)}`;
}

/** Makes the same for tokens and secrets; without a prefix for codes and client secrets. */
export function stableToken(prefix: string, number: number): string {
  const random = digest(prefix, number).toString(prefix === "whsec" ? "base64" : "base64url");
  return prefix === "" ? random : `${prefix}_${random}`;
}

function digest(prefix: string, number: number): Buffer {
  return createHash("sha256").update(`example ${prefix} ${number}`).digest();
}

import { derivedKeys } from "@/server/db/sealed";

const PURPOSE = "staff sign-in";

/** Derives the secrets of next-auth's tokens, one for each encryption key, the current one first. */
export function staffSecrets(): string[] {
  return derivedKeys(PURPOSE).map((key) => key.toString("base64url"));
}

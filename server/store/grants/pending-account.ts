import { seal, unseal } from "@/server/db/sealed";
import type { ProviderAccount } from "@/server/store/profiles/connected-profile";

/** Seals a calendar account that has not joined its account yet, for its code. */
export function sealPending(codeHash: Buffer, { provider, account, calendars }: ProviderAccount): string {
  const pending: ProviderAccount = { provider, account, calendars };
  return seal(JSON.stringify(pending), placeOf(codeHash));
}

export function openPending(codeHash: Buffer, pending: string): ProviderAccount {
  return JSON.parse(unseal(pending, placeOf(codeHash)));
}

function placeOf(codeHash: Buffer) {
  return { table: "codes", column: "pending", row: codeHash.toString("hex") };
}

import { seal, unseal } from "@/server/db/sealed";
import type { ProviderAccount } from "@/server/store/profiles/connected-profile";

/** Seals a calendar account that has not joined its account yet, for its code. */
export function sealPending(codeHash: Buffer, account: ProviderAccount): string {
  const { provider, calendars, foreignEdits, access } = account;
  const pending: ProviderAccount = { provider, account: account.account, calendars, foreignEdits, access };
  return seal(JSON.stringify(pending), placeOf(codeHash));
}

export function openPending(codeHash: Buffer, pending: string): ProviderAccount {
  // One that the previous version sealed says neither.
  return { foreignEdits: false, access: "full", ...JSON.parse(unseal(pending, placeOf(codeHash))) };
}

function placeOf(codeHash: Buffer) {
  return { table: "codes", column: "pending", row: codeHash.toString("hex") };
}

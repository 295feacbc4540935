import { ProviderError, type UnusableReason } from "@/server/providers/connector";

export function unusable(reason: UnusableReason): ProviderError {
  return new ProviderError({ kind: "unusable", reason }, reason);
}

import type { Provider } from "@/server/domain/providers";
import type { ProviderSlots } from "@/server/sync/provider-slots";

/** Slots of a provider at which nothing is in progress, and which limit no application or mailbox. */
export function openSlots(provider: Provider, most: number, more: Partial<ProviderSlots> = {}): ProviderSlots {
  return { provider, most, share: most, plenty: most, slow: most, slowEach: most, held: [], ...more };
}

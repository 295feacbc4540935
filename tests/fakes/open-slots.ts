import type { Provider } from "@/server/domain/providers";
import type { ProviderSlots } from "@/server/sync/provider-slots";

/** A lane in which nothing is under way and that holds no application or mailbox back. */
export function openSlots(provider: Provider, most: number, more: Partial<ProviderSlots> = {}): ProviderSlots {
  return { provider, most, share: most, plenty: most, slow: most, slowEach: most, held: [], ...more };
}

import type { ProviderService } from "@/server/domain/providers";

/** Whose a calendar account is. */
export interface Identity {
  /** The provider's own unchanging name for it: the same account connected again has the same. */
  subject: string;
  /** What people know it by, such as its email address. */
  name: string;
  /** Its owner's own name. Omitted, or null: the provider does not say. */
  fullName?: string | null;
  email: string;
  /** The product behind the account, where the provider has several. Omitted: the provider's own. */
  service?: ProviderService;
}

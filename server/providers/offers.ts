import type { Connectable, Provider } from "@/server/domain/providers";
import { providerNamed } from "@/server/domain/wire-names";
import { offeredProviders } from "@/server/providers/offered";

/** A CalDAV server that an application offers to its users beside the providers. */
export interface CaldavServer {
  id: string;
  name: string;
  /** Where discovery begins. */
  url: string;
  /** What the application tells its users about signing in there, as plain text. */
  help: string | null;
}

/** A line of the chooser. `server`: of `caldav`, and of no other. */
export interface Offer {
  provider: Connectable;
  server: CaldavServer | null;
}

interface Offering {
  servers: readonly CaldavServer[];
}

/** Lists everything that the users of an application can connect, in the order of the connect page. */
export function offersOf({ servers }: Offering): Offer[] {
  return [
    ...offeredProviders().map((provider) => ({ provider, server: null })),
    ...servers.map((server) => ({ provider: "caldav" as const, server })),
  ];
}

/** Gives the offer that is named, by a server's id before a provider's name in either vocabulary. Null: there is none such. */
export function offerNamed(application: Offering, { provider, server }: Record<"provider" | "server", string>) {
  const named = providerNamed(provider);
  const isNamed = (offer: Offer) =>
    server === "" ? offer.server === null && offer.provider === named : offer.server?.id === server;
  return offersOf(application).find(isNamed) ?? null;
}

/**
 * Gives the offer at which a profile signs in. A CalDAV server is the one at the origin that the profile's subject
 * begins with. Null: it is offered no longer.
 */
export function offerOfProfile(application: Offering, { provider, subject }: { provider: Provider; subject: string }) {
  const isIts = (offer: Offer) =>
    offer.provider === provider &&
    (offer.server === null || subject.startsWith(`${new URL(offer.server.url).origin}/`));
  return offersOf(application).find(isIts) ?? null;
}

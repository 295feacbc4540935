import { endedBy } from "@/server/egress/fetch";
import {
  ask,
  type CaldavRequest,
  type CaldavResponse,
  type CaldavTransport,
  down,
  TOO_LONG,
} from "@/server/providers/caldav/ask";
import { type Credential, credentialOf } from "@/server/providers/caldav/credential";
import { externalIdOf } from "@/server/providers/caldav/multistatus-reader";
import { addressAt, linkedAddress } from "@/server/providers/caldav/site";
import { ProviderError } from "@/server/providers/connector";
import { keyedSemaphore } from "@/server/providers/keyed-semaphore";

/** A connected account and the way to its server. */
export interface Account extends Credential {
  ask(request: CaldavRequest): Promise<CaldavResponse>;
  /** The whole address of a calendar or a resource by its external id. */
  at(externalId: string): string;
  /** The external id that a link in a response means. Null: it is no link. */
  idOf(href: string, base: string): string | null;
}

/** Servers limit how much one account asks at once; none says by how much. */
const AT_ONCE = 4;

/** Opens accounts. All that is asked of one account at one server, by whichever mailbox, keeps to four requests at once. */
export function accounts(
  transportOf: (credential: Credential) => CaldavTransport,
): (credential: string, signal?: AbortSignal) => Account {
  const limited = keyedSemaphore(AT_ONCE);
  return (sealable, signal) => {
    const credential = credentialOf(sealable);
    const transport = transportOf(credential);
    const own = { ...transport, fetch: endedBy(transport.fetch, signal) };
    const login = { ...credential, scheme: credential.scheme ?? "basic" };
    return {
      ...credential,
      ask: (request) => limited(`${credential.home ?? ""} ${credential.username}`, () => ask(own, login, request)),
      idOf: (href, base) => externalIdOf(href, base, (link) => linkedAddress(link, base, transport)),
      at: (externalId) => {
        const { origin } = new URL(credential.home ?? transport.origins[0] ?? "");
        return externalId.startsWith("/") ? addressAt(origin, { pathname: externalId, search: "" }).href : externalId;
      },
    };
  };
}

/** Gives the fault of an answer that nothing can be made of: `gone` for 404 and 410, else `down`. */
export function unexpected({ status }: CaldavResponse): ProviderError {
  if (status === 404 || status === 410) return new ProviderError({ kind: "gone" }, `http_${status}`);
  return down(status === TOO_LONG ? "too_long" : `http_${status}`);
}

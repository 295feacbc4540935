import type { Database } from "@/server/db/client";
import { unseal } from "@/server/db/sealed";
import type { DelegationKey } from "@/server/domain/delegations";
import { type Connector, ProviderError } from "@/server/providers/connector";
import { type OrganizationMailbox, organizationCredential, organizationMailbox } from "@/server/providers/organization";
import { signedInAccess } from "@/server/providers/signed-in-access";

/** Mailboxes that are tried: one may have been closed by itself. */
const MOST_TRIED = 3;

export interface ProbeInput {
  delegationId: string;
  key: DelegationKey;
  /** A profile whose mailbox is left out. */
  except?: string;
}

/** `unknown`: the provider could not be asked. `detail` is for staff. */
export type Probed = { kind: "accepted" } | { kind: "refused" | "unknown"; detail: string };

/**
 * Tries whether a key opens the organization's mailboxes, with up to three that it has opened before, connected ones
 * first; without any, whether the provider accepts the key at all. One that opens is enough.
 */
export async function probe(
  { prisma }: Pick<Database, "prisma">,
  connector: Connector | null,
  { delegationId, key, except = "" }: ProbeInput,
): Promise<Probed> {
  const organization = connector?.organization;
  if (!organization) return { kind: "unknown", detail: "not configured" };
  const profiles = await prisma.profile.findMany({
    select: { id: true, credential: true },
    where: { delegationId, id: { not: except }, credential: { not: null } },
    orderBy: [{ connected: "desc" }, { id: "asc" }],
    take: MOST_TRIED,
  });
  let refused: Probed | null = null;
  for (const { id, credential } of profiles) {
    const place = { table: "profiles", column: "credential", row: id };
    const mailbox = organizationMailbox(unseal(credential ?? "", place));
    if (!mailbox) continue;
    const probed = await asked(() => open(connector, key, mailbox));
    if (probed.kind !== "refused") return probed;
    refused = probed;
  }
  return refused ?? (await asked(() => organization.prove(key)));
}

/** Asks for a token and lists the calendars: a token alone says nothing of what it allows. */
async function open(connector: Connector, key: DelegationKey, mailbox: OrganizationMailbox): Promise<void> {
  const token = await connector.organization?.token(key, mailbox);
  const credential = organizationCredential(mailbox);
  await connector.open(signedInAccess({ credential, token })).calendars(null);
}

async function asked(ask: () => Promise<unknown>): Promise<Probed> {
  try {
    await ask();
    return { kind: "accepted" };
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    const { kind } = error.fault;
    const isRefused = kind === "credentials_rejected" || kind === "refused" || kind === "misconfigured";
    return { kind: isRefused ? "refused" : "unknown", detail: error.detail };
  }
}

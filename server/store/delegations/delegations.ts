import type { Database } from "@/server/db/client";
import type { Prisma } from "@/server/db/generated/client";
import { seal, unseal } from "@/server/db/sealed";
import type { DelegationKey, Delegator, Reach } from "@/server/domain/delegations";

/** An organization's access for an application. */
export interface Delegation extends Reach {
  id: string;
  applicationId: string;
  provider: Delegator;
  /** Its key: see `keyOf`. */
  sealed: string;
  /** The provider has refused it. */
  isWithdrawn: boolean;
}

/** Loads a delegation. Null: there is none any more. */
export async function findDelegation(prisma: Prisma.TransactionClient, id: string): Promise<Delegation | null> {
  const row = await prisma.delegation.findUnique({ where: { id } });
  return row && delegationOf(row);
}

/** Loads the delegations of an application, the oldest first. */
export async function delegationsOf({ prisma }: Pick<Database, "prisma">, applicationId: string) {
  const rows = await prisma.delegation.findMany({
    where: { applicationId },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
  });
  return rows.map(delegationOf);
}

function delegationOf({ provider, withdrawnAt, ...row }: Prisma.DelegationGetPayload<object>): Delegation {
  const { id, applicationId, sealed, domains, addresses, groupAddress } = row;
  const isWithdrawn = withdrawnAt !== null;
  return { id, applicationId, sealed, domains, addresses, groupAddress, provider: provider as Delegator, isWithdrawn };
}

/** Opens the key of a delegation. Throws when the encryption key that it was sealed with is gone. */
export function keyOf({ id, sealed }: Pick<Delegation, "id" | "sealed">): DelegationKey {
  return JSON.parse(unseal(sealed, sealedKey(id)));
}

/** Seals a key for its row. */
export function sealKey(id: string, key: DelegationKey): string {
  return seal(JSON.stringify(key), sealedKey(id));
}

const sealedKey = (row: string) => ({ table: "delegations", column: "sealed", row });

import { Overloaded } from "@/server/auth/overloaded";
import { type Asker, hashPassword, verifyPassword } from "@/server/auth/password";
import { addressKey } from "@/server/domain/net/ranges";
import { Refusal } from "@/server/services/refusal";

/** The account for which a password is derived: an operator's id, or the address of somebody who is not signed in yet. */
interface DerivationInput {
  operator: { id: string } | null;
  address: string | null;
  /** Whether the operator has signed in from that address before. */
  isKnown?: boolean;
}

/** Derives what is stored of a password. Throws `overloaded`. */
export function derivePassword(password: string, input: DerivationInput): Promise<string> {
  return orOverloaded(hashPassword(password, askerOf(input)));
}

/** Checks a password against the `stored` derivation. Throws `overloaded`. */
export function isPassword(password: string, stored: string, input: DerivationInput): Promise<boolean> {
  return orOverloaded(verifyPassword(password, stored, askerOf(input)));
}

function askerOf({ operator, address, isKnown = false }: DerivationInput): Asker {
  return operator ? { key: operator.id, isKnown: true } : { key: addressKey(address ?? ""), isKnown };
}

async function orOverloaded<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Overloaded) throw new Refusal({ kind: "overloaded", retryAfter: error.retryAfter });
    throw error;
  }
}

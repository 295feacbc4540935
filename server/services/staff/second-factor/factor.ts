import { newRecoveryCodes, stepOfCode } from "@/server/auth/totp";
import type { Prisma } from "@/server/db/generated/client";
import { digest, seal, unseal } from "@/server/db/sealed";
import { spacedCode, typedCode } from "@/server/domain/second-factor";

interface NewFactorInput {
  operatorId: string;
  secret: string;
  /** As it was typed. */
  code: string;
  /** In milliseconds since 1970. */
  now: number;
}

/**
 * Stores the second factor of an operator in place of one they had, if the code is the secret's, and returns its
 * recovery codes, which are shown only here. Null: the code is wrong.
 */
export async function storeFactor(
  prisma: Prisma.TransactionClient,
  { operatorId, secret, code, now }: NewFactorInput,
): Promise<string[] | null> {
  const typed = typedCode(code);
  const step = typed?.kind === "digits" ? stepOfCode(secret, typed.code, now) : null;
  if (step === null) return null;
  const recoveryCodes = newRecoveryCodes();
  await prisma.operatorSecondFactor.deleteMany({ where: { operatorId } });
  const data = { operatorId, sealed: seal(secret, placeOf(operatorId)), lastStep: step, createdAt: new Date(now) };
  await prisma.operatorSecondFactor.create({ select: { operatorId: true }, data });
  const digests = recoveryCodes.map((recoveryCode) => ({ operatorId, digest: digest(recoveryCode) }));
  await prisma.recoveryCode.createMany({ data: digests });
  return recoveryCodes.map(spacedCode);
}

interface ProofInput {
  operatorId: string;
  /** As it was typed. */
  code: string;
  /** In milliseconds since 1970. */
  now: number;
}

/**
 * Uses up a code of the authenticator app, or a recovery code, and says which it was. Null: it is wrong, or somebody
 * used it before.
 */
export async function takeCode(
  prisma: Prisma.TransactionClient,
  { operatorId, code, now }: ProofInput,
): Promise<"app" | "recovery_code" | null> {
  const typed = typedCode(code);
  const factor = await prisma.operatorSecondFactor.findUnique({ where: { operatorId } });
  if (!typed || !factor) return null;
  if (typed.kind === "recovery") {
    const { count } = await prisma.recoveryCode.deleteMany({ where: { operatorId, digest: digest(typed.code) } });
    return count === 1 ? "recovery_code" : null;
  }
  const step = stepOfCode(unseal(factor.sealed, placeOf(operatorId)), typed.code, now);
  if (step === null) return null;
  // Of several at once with the same code one is right, and none once the factor was replaced.
  const unused = { operatorId, createdAt: factor.createdAt, lastStep: { lt: step } };
  const { count } = await prisma.operatorSecondFactor.updateMany({ where: unused, data: { lastStep: step } });
  return count === 1 ? "app" : null;
}

function placeOf(operatorId: string) {
  return { table: "operator_second_factors", column: "sealed", row: operatorId };
}

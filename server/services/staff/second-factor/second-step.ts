import { newTotpSecret } from "@/server/auth/totp";
import type { Connection, Database } from "@/server/db/client";
import type { Prisma } from "@/server/db/generated/client";
import { digest } from "@/server/db/sealed";
import { run } from "@/server/db/statement";
import { needsSecondFactor } from "@/server/domain/second-factor";
import { env } from "@/server/env";
import { audit } from "@/server/services/staff/audit/audit";
import { lockOperatorAndAdmins } from "@/server/services/staff/operators/change";
import type { Role } from "@/server/services/staff/procedure/staff-context";
import { drawingOf, type FactorDrawing } from "@/server/services/staff/second-factor/drawing";
import { storeFactor, takeCode } from "@/server/services/staff/second-factor/factor";
import { openPending, type Pending, sealPending } from "@/server/services/staff/second-factor/pending";
import { openSession, type Visitor } from "@/server/services/staff/sessions/session";
import { lockAdmitted } from "@/server/services/staff/sessions/sessions.sql";
import { takeTry } from "@/server/services/staff/sessions/tries";

export interface KnownOperator {
  id: string;
  email: string;
  role: Role;
  passwordHash: string | null;
}

/** What came of a sign-in. `second_step`: it goes on with `pending`, which the browser keeps (`continueSignIn`). */
export type SignInResult =
  | { kind: "session"; sessionId: string }
  | { kind: "second_step"; pending: string }
  | { kind: "refused" };

type Prepared = Omit<KnownOperator, "passwordHash"> & { passwordHash: string };

interface SecondStepInput {
  operator: KnownOperator;
  /** In milliseconds since 1970. */
  now: number;
}

/**
 * Prepares the second step of a sign-in whose password was right, for `continueSignIn`. Null: the operator has no second
 * factor and needs none.
 */
export async function secondStepOf(
  prisma: Prisma.TransactionClient,
  { operator: { id: operatorId, email, role, passwordHash }, now }: SecondStepInput,
): Promise<string | null> {
  const hasFactor = (await prisma.operatorSecondFactor.count({ where: { operatorId } })) > 0;
  if (!hasFactor && !needsSecondFactor(env().STAFF_SECOND_FACTOR, role)) return null;
  const secret = hasFactor ? null : newTotpSecret();
  const pending = { operatorId, email, passwordMark: markOf(passwordHash), secret };
  return sealPending("sign_in", pending, now);
}

/** What the page of the second step shows. `setUp` null: the operator has a second factor. */
export interface SecondStep {
  email: string;
  setUp: FactorDrawing | null;
}

/** Reads a pending sign-in. Null: it is too old, or none. */
export function seeSecondStep(pending: string, now: number): SecondStep | null {
  const opened = openPending("sign_in", pending, now);
  if (!opened) return null;
  const { email, secret } = opened;
  return { email, setUp: secret === null ? null : drawingOf(secret, email) };
}

/** `recoveryCodes`: of a second factor that was set up with it, shown only here. `stale`: sign in from the beginning. */
export type SecondStepResult =
  | { kind: "session"; sessionId: string; email: string; recoveryCodes: string[] | null }
  | { kind: "wrong" | "stale" };

interface SecondStepCode {
  pending: string;
  /** As it was typed. */
  code: string;
}

/**
 * Opens the session of a pending sign-in for a code of the second factor, or for the first code of the one that had to
 * be set up. Refuses the sixth wrong code within 15 minutes, with the time to wait.
 */
export async function continueSignIn(
  db: Database,
  { pending, code }: SecondStepCode,
  visitor: Visitor,
): Promise<SecondStepResult> {
  const opened = openPending("sign_in", pending, visitor.now);
  const operator = opened && (await stillMeant(db, opened));
  if (!operator) return { kind: "stale" };
  if (opened.secret !== null) return setUp(db, visitor, { operator, secret: opened.secret, code });
  const tried = { operatorId: operator.id, what: "second_factor" } as const;
  const stranger = { ...visitor, operator: null };
  await db.transaction((query, prisma) => takeTry({ query, prisma }, stranger, tried));
  const result = await db.transaction((query, prisma) => prove({ query, prisma }, visitor, { operator, code }));
  if (result.kind === "wrong") {
    await audit(db.prisma, stranger, { action: "second_factor.refused", object: operator.id });
  }
  return result;
}

/** Loads the operator of a pending sign-in, whose password must be the one that was checked. */
async function stillMeant(db: Database, { operatorId, passwordMark }: Pending<"sign_in">): Promise<Prepared | null> {
  const select = { id: true, email: true, role: true, passwordHash: true };
  const operator = await db.prisma.operator.findUnique({ select, where: { id: operatorId } });
  if (!operator || operator.passwordHash === null || markOf(operator.passwordHash) !== passwordMark) return null;
  return { ...operator, passwordHash: operator.passwordHash };
}

interface ProveInput {
  operator: Prepared;
  code: string;
}

async function prove(
  { query, prisma }: Connection,
  visitor: Visitor,
  { operator, code }: ProveInput,
): Promise<SecondStepResult> {
  const { id: operatorId, passwordHash } = operator;
  const [still] = await run(query, lockAdmitted, [operatorId, passwordHash]);
  const hasFactor = (await prisma.operatorSecondFactor.count({ where: { operatorId } })) > 0;
  if (!still || !hasFactor) return { kind: "stale" };
  const secondFactor = await takeCode(prisma, { operatorId, code, now: visitor.now });
  if (!secondFactor) return { kind: "wrong" };
  await audit(prisma, { ...visitor, operator }, { action: "second_factor.proven", object: operatorId });
  return { ...(await open(prisma, visitor, { operator, secondFactor })), recoveryCodes: null };
}

interface SetUpInput extends ProveInput {
  secret: string;
}

/** Stores the second factor that the operator has set up, unless they got one in the meantime, and opens the session. */
function setUp(db: Database, visitor: Visitor, { operator, secret, code }: SetUpInput): Promise<SecondStepResult> {
  const { id: operatorId, passwordHash } = operator;
  return db.transaction(async (query, prisma): Promise<SecondStepResult> => {
    await lockOperatorAndAdmins(query, operatorId);
    const [still] = await run(query, lockAdmitted, [operatorId, passwordHash]);
    const hasFactor = (await prisma.operatorSecondFactor.count({ where: { operatorId } })) > 0;
    if (!still || hasFactor) return { kind: "stale" };
    const recoveryCodes = await storeFactor(prisma, { operatorId, secret, code, now: visitor.now });
    if (recoveryCodes === null) return { kind: "wrong" };
    await audit(prisma, { ...visitor, operator }, { action: "second_factor.set_up", object: operatorId });
    return { ...(await open(prisma, visitor, { operator, secondFactor: "app" })), recoveryCodes };
  });
}

interface OpenInput {
  operator: Prepared;
  secondFactor: "app" | "recovery_code";
}

async function open(prisma: Prisma.TransactionClient, visitor: Visitor, { operator, secondFactor }: OpenInput) {
  const way = "password";
  const sessionId = await openSession(prisma, { operatorId: operator.id, way, ...visitor });
  const detail = { way, secondFactor };
  await audit(prisma, { ...visitor, operator }, { action: "sign_in.succeeded", object: operator.id, detail });
  return { kind: "session", sessionId, email: operator.email } as const;
}

/** Tells one password from another, without saying anything of either. */
function markOf(passwordHash: string | null): string {
  return digest(passwordHash ?? "").toString("base64url");
}

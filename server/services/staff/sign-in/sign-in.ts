import { NOBODYS_HASH } from "@/server/auth/password";
import type { Database } from "@/server/db/client";
import { run } from "@/server/db/statement";
import { MAX_EMAIL } from "@/server/domain/text-limits";
import { audit } from "@/server/services/staff/audit/audit";
import {
  type KnownOperator as Operator,
  type SignInResult,
  secondStepOf,
} from "@/server/services/staff/second-factor/second-step";
import { isPassword } from "@/server/services/staff/sessions/derived-password";
import { type OpenSessionInput, openSession, type Visitor } from "@/server/services/staff/sessions/session";
import { lockAdmitted } from "@/server/services/staff/sessions/sessions.sql";

type FailureReason = "unknown_email" | "wrong_password" | "disabled" | "unverified_email";

// biome-ignore lint/suspicious/noControlCharactersInRegex: PostgreSQL holds no U+0000.
const EMAIL = /^[^\s@\u0000]+@[^\s@\u0000]+$/;

/**
 * Opens a session for an email address and its password, or goes on with the second step where the operator has a second
 * factor or needs one. A wrong password, an unknown address and a disabled operator look alike from outside and take the
 * same time: a password is derived for each.
 */
export async function signInByPassword(
  db: Database,
  given: { email: string; password: string },
  visitor: Visitor,
): Promise<SignInResult> {
  const operator = await operatorOf(db, given.email);
  const isRight = await isPassword(given.password, operator?.passwordHash ?? NOBODYS_HASH, {
    operator: null,
    address: visitor.address,
    isKnown: visitor.isKnown,
  });
  if (!operator) return refuse(db, visitor, { operator: null, way: "password", failing: "unknown_email" });
  if (!isRight) return refuse(db, visitor, { operator, way: "password", failing: "wrong_password" });
  return admit(db, visitor, { operator, way: "password" });
}

/**
 * Opens a session for the operator with an email address that the issuer of single sign-on has verified, and returns
 * its id, or null.
 */
export async function signInByIssuer(
  db: Database,
  given: { email: string | null; isVerified: boolean },
  visitor: Visitor,
): Promise<string | null> {
  const way = "single_sign_on";
  if (!given.email || !given.isVerified) {
    await refuse(db, visitor, { operator: null, way, failing: "unverified_email" });
    return null;
  }
  const operator = await operatorOf(db, given.email);
  const result = operator
    ? await admit(db, visitor, { operator, way })
    : await refuse(db, visitor, { operator: null, way, failing: "unknown_email" });
  return result.kind === "session" ? result.sessionId : null;
}

async function operatorOf(db: Database, given: string): Promise<Operator | null> {
  const email = given.trim().toLowerCase();
  if (email.length > MAX_EMAIL || !EMAIL.test(email)) return null;
  return await db.prisma.operator.findUnique({
    select: { id: true, email: true, role: true, passwordHash: true },
    where: { email },
  });
}

interface AdmittedSignIn {
  operator: Operator;
  way: OpenSessionInput["way"];
}

/**
 * Opens the session, unless the operator was disabled or got another password in the meantime, or their password is not
 * enough.
 */
async function admit(db: Database, visitor: Visitor, { operator, way }: AdmittedSignIn): Promise<SignInResult> {
  const result = await db.transaction(async (query, prisma): Promise<SignInResult | null> => {
    const [still] = await run(query, lockAdmitted, [operator.id, operator.passwordHash]);
    if (!still) return null;
    const { now } = visitor;
    const pending = way === "password" ? await secondStepOf(prisma, { operator, now }) : null;
    const detail = { way };
    const doer = { ...visitor, operator };
    if (pending) {
      await audit(prisma, doer, { action: "sign_in.second_step", object: operator.id, detail });
      return { kind: "second_step", pending };
    }
    const sessionId = await openSession(prisma, { operatorId: operator.id, way, ...visitor });
    await audit(prisma, doer, { action: "sign_in.succeeded", object: operator.id, detail });
    return { kind: "session", sessionId };
  });
  return result ?? (await refuse(db, visitor, { operator, way, failing: "disabled" }));
}

interface RefusedSignIn {
  operator: Operator | null;
  way: OpenSessionInput["way"];
  failing: FailureReason;
}

/**
 * Audits a refused sign-in without the typed text, because people type passwords into the wrong field. The person
 * behind a wrong password is unknown.
 */
async function refuse(
  db: Database,
  visitor: Visitor,
  { operator, way, failing }: RefusedSignIn,
): Promise<SignInResult> {
  const detail = { way, reason: failing };
  const action = { action: "sign_in.failed" as const, object: operator?.id ?? "sign-in", detail };
  const isKnown = failing !== "wrong_password";
  await audit(db.prisma, { ...visitor, operator: isKnown ? operator : null }, action);
  return { kind: "refused" };
}

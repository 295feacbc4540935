import type { Database, TransactionWork } from "@/server/db/client";
import { databaseFault } from "@/server/db/faults";
import { locks } from "@/server/db/locks";
import { newId } from "@/server/db/new-id";
import { digest } from "@/server/db/sealed";
import { run } from "@/server/db/statement";
import { checkPassword } from "@/server/services/password-rule";
import { audit } from "@/server/services/staff/audit/audit";
import {
  invitationOfToken,
  lockInvitation,
  operatorWithEmail,
} from "@/server/services/staff/invitations/invitations.sql";
import { addMemberships } from "@/server/services/staff/members/change";
import type { Role } from "@/server/services/staff/procedure/staff-context";
import { type SignInResult, secondStepOf } from "@/server/services/staff/second-factor/second-step";
import { derivePassword } from "@/server/services/staff/sessions/derived-password";
import { openSession, type Visitor } from "@/server/services/staff/sessions/session";

/** Why a link does not work. `taken`: somebody with this email can sign in already. */
export type ClosedInvitation = { kind: "unknown" | "accepted" | "revoked" | "expired" | "taken" };

export type SeenInvitation = ClosedInvitation | { kind: "open"; email: string; applications: string[] };

/** Reads what the page of a link shows. */
export async function seeInvitation(db: Database, token: string, now: number): Promise<SeenInvitation> {
  const [invitation] = await run(db.query, invitationOfToken, [digest(token)]);
  const closed = closedFor(invitation, now);
  if (closed || !invitation) return closed ?? { kind: "unknown" };
  return { kind: "open", email: invitation.email, applications: invitation.applications.map(({ name }) => name) };
}

export interface AcceptInvitationInput {
  token: string;
  name: string;
  /** Null: they sign in with single sign-on only. */
  password: string | null;
}

/**
 * `signIn` is null without a password: the issuer of single sign-on identifies the person. `second_step`: they have to
 * set up a second factor first.
 */
export type AcceptInvitationResult =
  | ClosedInvitation
  | { kind: "accepted_now"; email: string; signIn: Exclude<SignInResult, { kind: "refused" }> | null };

/**
 * Makes whoever holds the link a developer of its applications and signs them in. Of several calls at once one
 * succeeds. Throws invalid for a password that nobody may have, and overloaded.
 */
export async function acceptInvitation(
  db: Database,
  { token, name, password }: AcceptInvitationInput,
  visitor: Visitor,
): Promise<AcceptInvitationResult> {
  const seen = await seeInvitation(db, token, visitor.now);
  if (seen.kind !== "open") return seen;
  if (password !== null) await checkPassword(password, { email: seen.email, path: "password" });
  const passwordHash = password === null ? null : await derivePassword(password, { operator: null, ...visitor });
  const work: TransactionWork<AcceptInvitationResult> = async (query, prisma) => {
    const [invitation] = await run(query, lockInvitation, [digest(token)]);
    const closed = closedFor(invitation, visitor.now);
    if (closed || !invitation) return closed ?? { kind: "unknown" };
    const { email } = invitation;
    const [taken] = await run(query, operatorWithEmail, [email]);
    if (taken) return { kind: "taken" };
    const operator = { id: newId("opr"), email, role: "developer" as Role };
    const now = new Date(visitor.now);
    await prisma.operator.create({ select: { id: true }, data: { ...operator, name, passwordHash, createdAt: now } });
    await prisma.invitation.update({ select: { id: true }, where: { id: invitation.id }, data: { acceptedAt: now } });
    const doer = { ...visitor, operator };
    await audit(prisma, doer, { action: "invitation.accepted", object: invitation.id, detail: { email } });
    const applications = invitation.applications.map(({ id }) => id);
    await addMemberships({ query, prisma }, doer, { operatorId: operator.id, email, applications });
    if (passwordHash === null) return { kind: "accepted_now", email, signIn: null };
    const pending = await secondStepOf(prisma, { operator: { ...operator, passwordHash }, now: visitor.now });
    if (pending !== null) return { kind: "accepted_now", email, signIn: { kind: "second_step", pending } };
    const sessionId = await openSession(prisma, { operatorId: operator.id, way: "password", ...visitor });
    await audit(prisma, doer, { action: "sign_in.succeeded", object: operator.id, detail: { way: "password" } });
    return { kind: "accepted_now", email, signIn: { kind: "session", sessionId } };
  };
  try {
    return await db.transaction(work, locks.invitations);
  } catch (error) {
    // An admin added an operator with this email in the meantime.
    if (databaseFault(error) === "unique_violation") return { kind: "taken" };
    throw error;
  }
}

function closedFor(
  invitation: { isAccepted: boolean; isRevoked: boolean; expiresAt: Date } | undefined,
  now: number,
): ClosedInvitation | null {
  if (!invitation) return { kind: "unknown" };
  if (invitation.isAccepted) return { kind: "accepted" };
  if (invitation.isRevoked) return { kind: "revoked" };
  return invitation.expiresAt.getTime() <= now ? { kind: "expired" } : null;
}

import { z } from "zod";
import { rawInput, staffInput } from "@/server/services/input";
import { acceptInvitation, seeInvitation } from "@/server/services/staff/invitations/accept";
import { operatorName } from "@/server/services/staff/operators/operator-fields";
import { createStaffCaller, ownProcedure, staffRouter, visitorProcedure } from "@/server/services/staff/procedure/trpc";
import { continueSignIn, seeSecondStep } from "@/server/services/staff/second-factor/second-step";
import { endSession } from "@/server/services/staff/sessions/end";
import { signInByIssuer, signInByPassword } from "@/server/services/staff/sign-in/sign-in";

/** The browser of somebody who signs in, and whether the operator with this email has signed in from its address before. */
interface Browser {
  isKnown: boolean;
  userAgent: string | null;
}

const acceptance = z.object({
  token: z.string(),
  name: operatorName,
  password: z.string().nullable(),
  isKnown: z.boolean(),
  userAgent: z.string().nullable(),
});

/**
 * Procedures to sign in and out, for the routes under /api/auth: they check a form's origin and limit the tries. Not
 * part of `staffApi`, whose procedures browsers call by name.
 */
const signInApi = staffRouter({
  /** Returns the id of a new session, or what the second step goes on with. */
  byPassword: visitorProcedure
    .input(rawInput((raw) => raw as Browser & { email: string; password: string }))
    .mutation(({ ctx, input: { isKnown, userAgent, ...typed } }) =>
      signInByPassword(ctx.db, typed, { ...ctx, isKnown, userAgent }),
    ),
  /** Reads what the page of the second step shows. */
  seeSecondStep: visitorProcedure
    .input(rawInput((raw) => raw as { pending: string }))
    .query(({ ctx, input: { pending } }) => seeSecondStep(pending, ctx.now)),
  /** Returns the id of a new session if the code is right. Throws throttled. */
  byCode: visitorProcedure
    .input(rawInput((raw) => raw as Browser & { pending: string; code: string }))
    .mutation(({ ctx, input: { isKnown, userAgent, ...given } }) =>
      continueSignIn(ctx.db, given, { ...ctx, isKnown, userAgent }),
    ),
  /** Returns the id of a new session, or null. `email` and `isVerified` come from the issuer of single sign-on. */
  byIssuer: visitorProcedure
    .input(rawInput((raw) => raw as Browser & { email: string | null; isVerified: boolean }))
    .mutation(({ ctx, input: { isKnown, userAgent, ...verified } }) =>
      signInByIssuer(ctx.db, verified, { ...ctx, isKnown, userAgent }),
    ),
  /** Reads the invitation of a link. */
  seeInvitation: visitorProcedure
    .input(rawInput((raw) => raw as { token: string }))
    .query(({ ctx, input: { token } }) => seeInvitation(ctx.db, token, ctx.now)),
  /** Makes whoever holds an invitation's link a developer, and signs them in if they chose a password. Throws invalid. */
  byInvitation: visitorProcedure
    .input(staffInput(acceptance))
    .mutation(({ ctx, input: { isKnown, userAgent, ...given } }) =>
      acceptInvitation(ctx.db, given, { ...ctx, isKnown, userAgent }),
    ),
  /** Ends the operator's session. */
  signOut: ownProcedure.mutation(async ({ ctx }): Promise<void> => {
    await endSession(ctx, { id: ctx.operator.sessionId, action: "signed_out" });
  }),
});

export const signInCaller = createStaffCaller(signInApi);

/** Which operators need a second factor to sign in with their password. */
export const secondFactorPolicies = ["off", "admins", "all"] as const;
export type SecondFactorPolicy = (typeof secondFactorPolicies)[number];

/** Reports whether an operator of this role must have a second factor. Without need, anybody may have one. */
export function needsSecondFactor(policy: SecondFactorPolicy, role: string): boolean {
  return policy === "all" || (policy === "admins" && role === "admin");
}

/** How many recovery codes a second factor has. */
export const RECOVERY_CODES = 10;
const RECOVERY_CODE = /^[a-z2-7]{16}$/;
const DIGITS = /^\d{6}$/;

/** A typed code: digits of an authenticator app, or a recovery code in its stored spelling. */
export type TypedCode = { kind: "digits" | "recovery"; code: string };

/** Reads a typed code, whatever its spaces, hyphens and capitals. Null: it is neither. */
export function typedCode(typed: string): TypedCode | null {
  const code = typed.normalize("NFKC").replace(/[\s-]/g, "").toLowerCase();
  if (DIGITS.test(code)) return { kind: "digits", code };
  return RECOVERY_CODE.test(code) ? { kind: "recovery", code } : null;
}

/** Spells a recovery code for people: `abcd-efgh-2345-wxyz`. */
export function spacedCode(code: string): string {
  return code.match(/.{1,4}/g)?.join("-") ?? code;
}

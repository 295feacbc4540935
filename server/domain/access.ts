/**
 * What a user lets an application do with a calendar account: everything, see its events, or see when they are busy.
 * Almanac keeps the last two itself, whatever its provider grants (ADR 109).
 */
export const accessLevels = ["full", "read", "free_busy"] as const;
export type Access = (typeof accessLevels)[number];

/** The values of `access` in a connect link. Without it the application asks for everything. */
export const lessAccess = ["read", "free_busy"] as const satisfies readonly Access[];
export type LessAccess = (typeof lessAccess)[number];

export function isLessAccess(value: string): value is LessAccess {
  return lessAccess.some((access) => access === value);
}

/** Returns the parameter of a connect link that asks for this access. */
export function accessParameter(access: Access): { access?: LessAccess } {
  return access === "full" ? {} : { access };
}

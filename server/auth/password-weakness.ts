/** A password with fewer different characters is a repetition, whatever its length. */
const FEWEST_CHARACTERS = 5;
/** "passwordpassword" is no better than "password". */
const REPEATED = /^(.+?)\1+$/s;

export type Weakness = "common" | "repetitive";

/**
 * Says why a password that is long enough can still be guessed, or null: it is among the 49,000 most often leaked
 * (zxcvbn-ts' list, in lower case), or it repeats a few characters or such a password.
 */
export async function weaknessOf(password: string): Promise<Weakness | null> {
  const typed = password.normalize("NFKC").trim().toLowerCase();
  if (new Set(typed).size < FEWEST_CHARACTERS) return "repetitive";
  const { dictionary } = await import("@zxcvbn-ts/language-common");
  common ??= new Set(dictionary["passwords-common"]);
  const [, unit] = typed.length <= LONGEST_LOOKED_AT ? (REPEATED.exec(typed) ?? []) : [];
  return common.has(typed) || (unit !== undefined && common.has(unit)) ? "common" : null;
}

/** Longer than twice any entry of the list. */
const LONGEST_LOOKED_AT = 100;
let common: Set<string> | undefined;

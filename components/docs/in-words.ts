/** Joins words to "a, b and c", or with "or". Empty for none. */
export function inWords(all: readonly string[], word: "and" | "or"): string {
  return all.length < 2 ? (all[0] ?? "") : `${all.slice(0, -1).join(", ")} ${word} ${all.at(-1)}`;
}

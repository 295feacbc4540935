const texts: ReadonlyMap<unknown, boolean> = new Map([
  ...["true", "True", "1"].map((text) => [text, true] as const),
  ...["false", "False", "0"].map((text) => [text, false] as const),
]);

/**
 * Parses a boolean of a query string, as specified ("Conventions"), or as Python and .NET write theirs. Returns
 * undefined for anything else.
 */
export function booleanOf(text: unknown): boolean | undefined {
  return texts.get(text);
}

const texts: ReadonlyMap<unknown, boolean> = new Map([
  ...["true", "True", "1"].map((text) => [text, true] as const),
  ...["false", "False", "0"].map((text) => [text, false] as const),
]);

/** Reads a boolean of a query string: as the specification has it ("Conventions"), or as Python and .NET write theirs. Undefined: it is none. */
export function booleanOf(text: unknown): boolean | undefined {
  return texts.get(text);
}

/** The values of a statement that is put together: `put` gives the name under which one is used. */
export interface Binding {
  readonly values: unknown[];
  put(value: unknown): string;
}

export function binding(): Binding {
  const values: unknown[] = [];
  return { values, put: (value) => `$${values.push(value)}` };
}

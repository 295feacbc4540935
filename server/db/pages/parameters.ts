/** Collects the values of one statement and gives their placeholders. */
export interface Parameters {
  values: unknown[];
  put(value: unknown, type?: string): string;
}

export function parameters(): Parameters {
  const values: unknown[] = [];
  return {
    values,
    put: (value, type) => {
      values.push(value);
      return type ? `$${values.length}::${type}` : `$${values.length}`;
    },
  };
}

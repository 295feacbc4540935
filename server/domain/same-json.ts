/**
 * Compares two values as JSON: the order of keys does not count, nor does a key whose value is undefined. Works for
 * everything that JSON can hold, and looks at each value at most once.
 */
export function sameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  if (Array.isArray(one) || Array.isArray(other)) return isSameList(one, other);
  const [left, right] = [one as Record<string, unknown>, other as Record<string, unknown>];
  let remaining = 0;
  for (const key of Object.keys(right)) if (right[key] !== undefined) remaining += 1;
  for (const key of Object.keys(left)) {
    if (left[key] === undefined) continue;
    if (!Object.hasOwn(right, key) || !sameJson(left[key], right[key])) return false;
    remaining -= 1;
  }
  return remaining === 0;
}

function isSameList(one: unknown, other: unknown): boolean {
  if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false;
  return one.every((item, i) => sameJson(item, other[i]));
}

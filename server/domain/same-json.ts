/**
 * Whether two values are the same as JSON: the order of keys does not count, nor does a key whose value is undefined. Of what JSON
 * can hold; takes no more than a look at each value.
 */
export function sameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  if (Array.isArray(one) || Array.isArray(other)) return isSameList(one, other);
  const [ours, theirs] = [one as Record<string, unknown>, other as Record<string, unknown>];
  let left = 0;
  for (const key of Object.keys(theirs)) if (theirs[key] !== undefined) left += 1;
  for (const key of Object.keys(ours)) {
    if (ours[key] === undefined) continue;
    if (!Object.hasOwn(theirs, key) || !sameJson(ours[key], theirs[key])) return false;
    left -= 1;
  }
  return left === 0;
}

function isSameList(one: unknown, other: unknown): boolean {
  if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false;
  return one.every((item, i) => sameJson(item, other[i]));
}

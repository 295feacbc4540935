const KEPT = 4;

/** Shortens an id to `whd_3f9a…b21c`: the prefix, the first and the last four. Short ones stay. */
export function shortened(id: string): string {
  const prefix = /^[a-z]+_/.exec(id)?.[0] ?? "";
  const rest = id.slice(prefix.length);
  return rest.length <= 2 * KEPT + 2 ? id : `${prefix}${rest.slice(0, KEPT)}…${rest.slice(-KEPT)}`;
}

/** What is in all lists; one that is not given holds everything. Undefined: none is given. */
export function inAll(lists: readonly (string[] | undefined)[]): string[] | undefined {
  const given = lists.filter((list) => list !== undefined);
  return given.length === 0 ? undefined : given.reduce((kept, list) => kept.filter((value) => list.includes(value)));
}

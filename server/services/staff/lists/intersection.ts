/** Returns the intersection of lists; an unset list contains everything. Undefined: none is set. */
export function intersection(lists: readonly (string[] | undefined)[]): string[] | undefined {
  const setLists = lists.filter((list) => list !== undefined);
  return setLists.length === 0
    ? undefined
    : setLists.reduce((kept, list) => kept.filter((value) => list.includes(value)));
}

/** What a procedure returns that has written its response's JSON itself, in pieces: as one text a page would be moved twice before it is sent. */
export class JsonText {
  constructor(readonly pieces: readonly string[]) {}

  get text(): string {
    return this.pieces.join("");
  }
}

/** JSON of an object with `before` its members and one list, whose items are JSON. */
export function listText(before: string, items: readonly string[]): JsonText {
  const pieces = [before];
  for (let i = 0; i < items.length; i += 1) pieces.push(i === 0 ? (items[i] ?? "") : `,${items[i]}`);
  pieces.push("]}");
  return new JsonText(pieces);
}

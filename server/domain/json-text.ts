/** What a procedure returns that has written its response's JSON itself, in pieces: as one text a page would be moved twice before it is sent. */
export class JsonText {
  constructor(private pieces: readonly string[]) {}

  /** The pieces, once: promises that lead to them can outlive the request (server/services/reads/page.ts). */
  take(): readonly string[] {
    const { pieces } = this;
    this.pieces = [];
    return pieces;
  }
}

/** JSON of an object with `before` its members and one list, whose items are JSON. */
export function listText(before: string, items: readonly string[]): JsonText {
  const pieces = [before];
  for (let i = 0; i < items.length; i += 1) pieces.push(i === 0 ? (items[i] ?? "") : `,${items[i]}`);
  pieces.push("]}");
  return new JsonText(pieces);
}

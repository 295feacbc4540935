/** How often a claim is made that found only what other processes were claiming. */
const MOST_TRIES = 5;

/** A row of a claim. `lost`, the same in each: what was to be claimed, and another process is claiming. */
interface ClaimRow {
  lost: string[];
  /** Null: nothing was claimed, and this row only tells what was lost. */
  id: string | null;
  sealedCredential: string | null;
}

type Claimed<Row extends ClaimRow> = Omit<Row, "id" | "lost" | "sealedCredential"> & {
  id: string;
  sealedCredential: string;
};

/** Makes a claim again, without what others are claiming (as JSON), until it claims something or there is nothing else. */
export async function claimPastOthers<Row extends ClaimRow>(
  claim: (others: string) => Promise<Row[]>,
): Promise<Claimed<Row>[]> {
  const others: string[] = [];
  for (let tries = 1; ; tries += 1) {
    const rows = await claim(JSON.stringify(others));
    const claimed = rows.flatMap(({ id, lost: _, sealedCredential, ...row }) =>
      id === null || sealedCredential === null ? [] : [{ ...row, id, sealedCredential }],
    );
    const lost = rows[0]?.lost ?? [];
    if (claimed.length > 0 || lost.length === 0 || tries >= MOST_TRIES) return claimed;
    others.push(...lost);
  }
}

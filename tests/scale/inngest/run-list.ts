import type { InngestServer } from "@/tests/scale/inngest/inngest-server";

/** A run, as the server's API lists it. */
export interface ListedRun {
  id: string;
  function: { id: string };
  status: string;
  queuedAt: string;
  durationMs: string | null;
  output: { tally?: Record<string, Record<string, number>>; nextInSeconds?: number | null } | null;
}

interface Page {
  data: ListedRun[];
  page: { hasMore?: boolean; cursor?: string };
}

/** Lists all runs, the latest first. */
export async function listRuns({ origin, signingKey }: InngestServer): Promise<ListedRun[]> {
  const headers = { authorization: `Bearer ${signingKey}` };
  const runs: ListedRun[] = [];
  for (let cursor: string | undefined; ; ) {
    const more = cursor === undefined ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    const response = await fetch(`${origin}/v2/runs?limit=100&include_output=true${more}`, { headers });
    const { data, page } = (await response.json()) as Page;
    runs.push(...data);
    if (!page.hasMore || !page.cursor) return runs;
    cursor = page.cursor;
  }
}

import { connect } from "@/server/db/client";

/** What is rendered of each event in a database is what its columns say. */
export async function expectRendered(url: string): Promise<void> {
  const database = connect(url, { max: 1 });
  try {
    const [stale] = await database.query<{ ids: string[] | null }>(
      "SELECT array_agg(id) AS ids FROM events e WHERE rendered IS DISTINCT FROM rendered_event(e)",
    );
    if (stale?.ids) throw new Error(`these events are not rendered as they are stored: ${stale.ids.join()}`);
  } finally {
    await database.close();
  }
}

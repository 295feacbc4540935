import type { Database } from "@/server/db/client";
import type { Post } from "@/tests/rig/receivers";
import type { Spent } from "@/tests/scale/processor-wait";

/** An outcome is with the database that long after its response, not counting the time in which the process had no processor. */
export const STORED_WITHIN_MS = 50;

/** A process by the name of its connections, and when it died, by the machine's clock. */
export interface Death {
  name: string;
  at: number;
  /** What it did since a moment. */
  spentSince(moment: number): Spent;
}

/** A claim of a delivery. */
interface Owner {
  id: string;
  by: string;
  at: number;
}

/** Notes from now on which process claims which delivery, and when. */
export async function noteOwners(db: Database): Promise<void> {
  await db.query("CREATE TABLE owners (id text NOT NULL, by text NOT NULL, at timestamptz NOT NULL)");
  await db.query(
    `CREATE FUNCTION note_owner() RETURNS trigger LANGUAGE plpgsql AS
'BEGIN INSERT INTO owners VALUES (NEW.id, current_setting(''application_name''), clock_timestamp()); RETURN NULL; END'`,
  );
  await db.query(
    `CREATE TRIGGER note_owner AFTER UPDATE OF lease ON deliveries FOR EACH ROW WHEN (NEW.lease IS NOT NULL)
EXECUTE FUNCTION note_owner()`,
  );
}

/** Every claim, in order. */
export async function ownersOf(db: Database): Promise<Owner[]> {
  return await db.query<Owner>("SELECT id, by, extract(epoch FROM at)::float8 * 1000 AS at FROM owners ORDER BY at");
}

export interface Unexplained {
  /** Nobody who had posted them was killed then, or its response was there for long enough. */
  others: number;
  /** By the clock alone: how long before the death of their process those were answered that were there for long enough, and what it did in that time. */
  late: ({ ageMs: number } & Spent)[];
}

/** Notifications posted again though whoever had posted them was not killed then, or had its response for long enough. */
export function unexplained(posts: readonly Post[], owners: readonly Owner[], deaths: readonly Death[]): Unexplained {
  const claims = grouped(owners);
  const deathOf = new Map(deaths.map((death) => [death.name, death]));
  const last = new Map<string, Post>();
  const found: Unexplained = { others: 0, late: [] };
  for (const post of posts) {
    const earlier = last.get(post.id);
    last.set(post.id, post);
    if (!earlier) continue;
    const owner = claims.get(post.id)?.findLast(({ at }) => at <= earlier.at);
    const death = deathOf.get(owner?.by ?? "");
    if (!death) {
      found.others += 1;
      continue;
    }
    const answeredAt = earlier.answeredAt ?? death.at;
    const ageMs = death.at - answeredAt;
    if (ageMs < STORED_WITHIN_MS) continue;
    const spent = death.spentSince(answeredAt);
    found.late.push({ ageMs, ...spent });
    if (ageMs - spent.waitedMs >= STORED_WITHIN_MS) found.others += 1;
  }
  return found;
}

/** How many deaths met notifications in flight, or answered too shortly before to be stored for certain: without any, nothing could be doubled. */
export function metDeaths(posts: readonly Post[], owners: readonly Owner[], deaths: readonly Death[]): number {
  const claims = grouped(owners);
  const owned = posts.map((post) => ({ post, by: claims.get(post.id)?.findLast(({ at }) => at <= post.at)?.by }));
  const isOpen = ({ at, answeredAt }: Post, death: Death) =>
    at <= death.at && (answeredAt === null || answeredAt > death.at - STORED_WITHIN_MS);
  return deaths.filter((death) => owned.some(({ post, by }) => by === death.name && isOpen(post, death))).length;
}

function grouped(owners: readonly Owner[]): Map<string, Owner[]> {
  const groups = new Map<string, Owner[]>();
  for (const owner of owners) groups.set(owner.id, [...(groups.get(owner.id) ?? []), owner]);
  return groups;
}

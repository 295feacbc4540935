import type { Query } from "@/server/db/client";
import type { Binding } from "@/server/db/composed";
import { runComposed } from "@/server/db/composed";
import { findDeliveries } from "@/server/db/delivery-days";
import { Refusal } from "@/server/services/refusal";
import { type Thing, thingsWithin } from "@/server/services/staff/procedure/scope.sql";

/** The ids of the applications that may be seen. Null: every application, for staff. */
export type Within = readonly string[] | null;

/** What a caller may see. Statements that look for things take `applications`; a thing by its id is asked for here first. */
export interface Scope {
  /** The ids of the applications that a developer is a member of. Null: every application, for staff. */
  readonly applications: Within;
  /** Those of the things that there are and that the caller may see. An id of a wrong form fails. */
  find(thing: Thing, ids: readonly string[]): Promise<string[]>;
  /** Whether the caller may see a thing, if there is one; of staff nothing is asked. */
  allows(thing: Thing, id: string): Promise<boolean>;
  /** As `allows`. Throws not_found, as of a thing that there is not. */
  expect(thing: Thing, id: string): Promise<void>;
  /** As `expect`, and of staff too. */
  expectExisting(thing: Thing, id: string): Promise<void>;
}

export function scopeOf(query: Query, applications: Within): Scope {
  const find: Scope["find"] = async (thing, ids) => {
    const rows =
      thing === "delivery"
        ? await findDeliveries(ids, (some, days) =>
            runComposed(query, thingsWithin, { thing, ids: some, applications, days }),
          )
        : await runComposed(query, thingsWithin, { thing, ids, applications });
    return rows.map(({ id }) => id);
  };
  const allows: Scope["allows"] = async (thing, id) => applications === null || (await find(thing, [id])).length > 0;
  return {
    applications,
    find,
    allows,
    expect: async (thing, id) => {
      if (!(await allows(thing, id))) throw new Refusal({ kind: "not_found" });
    },
    expectExisting: async (thing, id) => {
      if ((await find(thing, [id])).length === 0) throw new Refusal({ kind: "not_found" });
    },
  };
}

/** The pages of so many channels, or applications, are put together from one look at each; those of more are found among everybody's. */
export const MOST_LOOKS = 40;

/** The condition that a column holds one of the scope's applications; none for every application. */
export function within(column: string, applications: Within, put: Binding["put"]): string[] {
  if (applications === null) return [];
  const [one, another] = applications;
  // An index in the order of a page serves one application, and not several.
  if (one !== undefined && another === undefined) return [`${column} = ${put(one)}`];
  return [`${column} = ANY (${put(applications)}::text[])`];
}

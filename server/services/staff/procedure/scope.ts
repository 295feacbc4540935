import type { Query } from "@/server/db/client";
import type { Binding } from "@/server/db/composed";
import { runComposed } from "@/server/db/composed";
import { Refusal } from "@/server/services/refusal";
import { type ObjectKind, objectsWithin } from "@/server/services/staff/procedure/scope.sql";
import { findDeliveries } from "@/server/store/deliveries/days";

/** The ids of the applications that may be seen. Null: every application, for staff. */
export type VisibleApplications = readonly string[] | null;

/** A caller's access. Statements that search take `applications`; an object's id is checked here first. */
export interface Scope {
  /** The ids of the applications that a developer is a member of. Null: every application, for staff. */
  readonly applications: VisibleApplications;
  /** Returns those of the objects that exist and that the caller may see. Throws for a malformed id. */
  find(thing: ObjectKind, ids: readonly string[]): Promise<string[]>;
  /** Reports whether the caller may see an object if it exists; always true for staff. */
  allows(thing: ObjectKind, id: string): Promise<boolean>;
  /** Checks like `allows`. Throws not_found, as for an object that does not exist. */
  expect(thing: ObjectKind, id: string): Promise<void>;
  /** Checks like `expect`, including existence for staff. */
  expectExisting(thing: ObjectKind, id: string): Promise<void>;
}

export function scopeOf(query: Query, applications: VisibleApplications): Scope {
  const find: Scope["find"] = async (thing, ids) => {
    const rows =
      thing === "delivery"
        ? await findDeliveries(ids, (some, days) =>
            runComposed(query, objectsWithin, { thing, ids: some, applications, days }),
          )
        : await runComposed(query, objectsWithin, { thing, ids, applications });
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

/** The pages of this many channels or applications combine one look at each; those of more are found by filtering everybody's. */
export const MOST_LOOKS = 40;

/** Returns the condition that a column holds one of the scope's applications; empty for every application. */
export function applicationCondition(column: string, applications: VisibleApplications, put: Binding["put"]): string[] {
  if (applications === null) return [];
  const [one, another] = applications;
  // An index in the order of a page serves only one application.
  if (one !== undefined && another === undefined) return [`${column} = ${put(one)}`];
  return [`${column} = ANY (${put(applications)}::text[])`];
}

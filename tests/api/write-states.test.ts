import { expect, it } from "vitest";
import { db } from "@/server/db/client";
import { givenUpFor, type WriteState, writeStates } from "@/server/domain/provider-writes";
import {
  isGivenUpWrite,
  isOpen,
  isRefusedWrite,
  isUnsent,
  isWriting,
  stateOf,
} from "@/server/store/events/write-states";

const NOW = "now()";

interface Row {
  refused: boolean;
  reverted: boolean;
  error: string | null;
  suspended: boolean;
  leased: "never" | "over" | "held";
  attempts: number;
}

const rows: Row[] = [];
for (const refused of [false, true])
  for (const reverted of refused ? [false, true] : [false])
    for (const error of [null, "http_403", ...givenUpFor])
      for (const suspended of [false, true])
        for (const leased of ["never", "over", "held"] as const)
          for (const attempts of [0, 3]) rows.push({ refused, reverted, error, suspended, leased, attempts });

/** As the drawing has it. */
function expected({ refused, reverted, error, suspended, leased, attempts }: Row): WriteState {
  if (reverted) return "reverted";
  if (refused) return (givenUpFor as readonly (string | null)[]).includes(error) ? "given_up" : "refused";
  if (suspended) return "suspended";
  if (leased === "held") return "writing";
  return attempts > 0 ? "retrying" : "queued";
}

it("each row of provider_writes is in one state, and what SQL asks for is some of the states", async () => {
  const found = await db().query<
    Record<"open" | "unsent" | "writing" | "refused" | "given_up", boolean> & { state: WriteState }
  >(
    `SELECT ${stateOf("w", NOW)} AS state, ${isOpen("w")} AS open, ${isUnsent("w")} AS unsent,
  coalesce(${isWriting("w", NOW)}, false) AS writing, ${isRefusedWrite("w")} AS refused, ${isGivenUpWrite("w")} AS given_up
FROM (SELECT place, CASE WHEN refused THEN now() END AS refused_at, CASE WHEN reverted THEN now() END AS reverted_at, error AS last_error, suspended,
    CASE leased WHEN 'over' THEN now() - interval '1 s' WHEN 'held' THEN now() + interval '1 s' END AS leased_until, attempts
  FROM ROWS FROM (jsonb_to_recordset($1::jsonb) AS (refused boolean, reverted boolean, error text, suspended boolean, leased text, attempts int))
  WITH ORDINALITY AS r(refused, reverted, error, suspended, leased, attempts, place)) w ORDER BY place`,
    [JSON.stringify(rows)],
  );
  expect(found.map(({ state }) => state)).toEqual(rows.map(expected));
  expect(new Set(found.map(({ state }) => state))).toEqual(new Set(writeStates));
  for (const { state, open, unsent, writing, refused, given_up } of found) {
    expect({ state, open }).toEqual({ state, open: ["queued", "writing", "retrying"].includes(state) });
    expect({ state, unsent }).toEqual({ state, unsent: !["refused", "given_up", "reverted"].includes(state) });
    expect({ state, refused, given_up }).toEqual({
      state,
      refused: state === "refused",
      given_up: state === "given_up",
    });
    if (state === "writing") expect(writing).toBe(true);
  }
});

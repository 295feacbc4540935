import { expect, it } from "vitest";
import { db } from "@/server/db/client";
import { newId } from "@/server/db/new-id";
import type { Instant } from "@/server/domain/time/instant";
import { dropOldStaffRows } from "@/server/services/staff/retention";
import "../service";
import { newOperator } from "./staff-caller";

const DAY = 86_400_000;
const now = Date.UTC(2026, 10, 21) as Instant;
const ago = (days: number) => new Date(now - days * DAY);

it("forgets replays and sessions 30 days after their end, and keeps what has not ended", async () => {
  const { id: operator } = await newOperator();
  const [{ id: current } = { id: "" }] = await db().query<{ id: string }>(
    "SELECT id FROM operator_sessions WHERE operator_id = $1",
    [operator],
  );
  const replay = async (finished: Date | null) => {
    const id = newId("rpl");
    await db().query(
      `INSERT INTO replays (id, operator_id, filters, total, state, due_at, created_at, finished_at)
VALUES ($1, $2, '{}', 1, $3::replay_work_state, $4, $4, $5)`,
      [id, operator, finished ? "done" : "running", ago(40), finished],
    );
    return id;
  };
  const session = async (ended: Date | null, expires: Date) => {
    const id = newId("ses");
    await db().query(
      `INSERT INTO operator_sessions (id, operator_id, way, created_at, last_seen_at, expires_at, ended_at)
VALUES ($1, $2, 'password', $3, $3, $4, $5)`,
      [id, operator, ago(40), expires, ended],
    );
    return id;
  };
  const replays = [await replay(ago(31)), await replay(ago(29)), await replay(null)];
  const sessions = [await session(ago(31), ago(-1)), await session(null, ago(31)), await session(ago(29), ago(-1))];
  await dropOldStaffRows(db(), now);
  const left = async (table: string) =>
    (await db().query<{ id: string }>(`SELECT id FROM ${table} WHERE operator_id = $1`, [operator])).map(
      ({ id }) => id,
    );
  expect((await left("replays")).sort()).toEqual(replays.slice(1).sort());
  expect((await left("operator_sessions")).sort()).toEqual([current, ...sessions.slice(2)].sort());
});

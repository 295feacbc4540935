import { randomBytes, randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { db } from "@/server/db/client";
import type { Instant } from "@/server/domain/time/instant";
import { dropOldStaffRows } from "@/server/services/staff/retention";
import { addReplay, addSession, storedSessions } from "../../fakes/stored-operators";
import { applicationId } from "../grants";
import { newApplication } from "../service";
import { newOperator } from "./staff-caller";

const DAY = 86_400_000;
const now = Date.UTC(2026, 10, 21) as Instant;
const ago = (days: number) => new Date(now - days * DAY);

it("forgets replays and sessions 30 days after their end, and keeps what has not ended", async () => {
  const { id: operator } = await newOperator();
  const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id).sort();
  const sessionIds = async () => ids(await storedSessions(operator));
  const [current = ""] = await sessionIds();
  const replay = (finishedAt: Date | null) => addReplay(operator, ago(40), finishedAt);
  const session = (endedAt: Date | null, expiresAt: Date) => addSession(operator, ago(40), { endedAt, expiresAt });
  const replays = [await replay(ago(31)), await replay(ago(29)), await replay(null)];
  const sessions = [await session(ago(31), ago(-1)), await session(null, ago(31)), await session(ago(29), ago(-1))];
  await dropOldStaffRows(db(), now);
  const left = await db().prisma.replay.findMany({ where: { operatorId: operator } });
  expect(ids(left)).toEqual(replays.slice(1).sort());
  expect(await sessionIds()).toEqual([current, ...sessions.slice(2)].sort());
});

it("forgets invitations 30 days after their end, whatever became of them, and keeps the newer ones", async () => {
  const id = await applicationId(await newApplication());
  const invited = async (days: number, more: { acceptedAt?: Date; revokedAt?: Date } = {}) => {
    const { id: invitation } = await db().prisma.invitation.create({
      data: {
        ...{ id: `inv_${randomUUID()}`, tokenHash: randomBytes(32), email: "lin@almanac.test" },
        ...{ createdAt: ago(days + 7), expiresAt: ago(days), ...more },
        applications: { create: { applicationId: id } },
      },
    });
    return invitation;
  };
  for (const more of [{}, { acceptedAt: ago(35) }, { revokedAt: ago(36) }]) await invited(31, more);
  const kept = [await invited(29), await invited(-7), await invited(29, { acceptedAt: ago(32) })];
  await dropOldStaffRows(db(), now);
  const left = await db().prisma.invitationApplication.findMany({ where: { applicationId: id } });
  expect(left.map(({ invitationId }) => invitationId).sort()).toEqual(kept.sort());
});

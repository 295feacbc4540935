import { createHash } from "node:crypto";
import { newToken } from "@/server/db/new-id";
import { castInvitation, castOperators } from "@/server/demo/cast/applications";
import { markedId } from "@/server/demo/marks";
import type { Month } from "@/server/demo/month/month";
import { DAY_MS, HOUR_MS } from "@/server/demo/month/time";

const SESSION_HOURS = 12;
const INVITED_DAYS = 7;

/** Stores staff and developers, none with a password, and one invitation. */
export async function fillOperators({ db: { prisma }, now, applications }: Month): Promise<void> {
  const ago = (hours: number) => new Date(now - hours * HOUR_MS);
  const operators = castOperators.map((operator) => ({ ...operator, id: markedId("opr", operator.email) }));
  await prisma.operator.createMany({
    data: operators.map(({ id, email, name, role }, place) => ({
      id,
      email,
      name,
      role,
      createdAt: ago((90 - place * 13) * 24),
    })),
  });
  const members = operators.flatMap(({ id, of }) =>
    of.map((key) => ({ operatorId: id, applicationId: applications[key] })),
  );
  await prisma.applicationMember.createMany({ data: members });
  await prisma.operatorSession.createMany({
    data: operators.map(({ id, email, seenHoursAgo }) => ({
      ...{
        id: markedId("ses", email),
        operatorId: id,
        way: "single_sign_on" as const,
        createdAt: ago(seenHoursAgo + 3),
      },
      ...{ lastSeenAt: ago(seenHoursAgo), endedAt: ago(seenHoursAgo), endedBy: id, address: "198.51.100.9" },
      expiresAt: ago(seenHoursAgo + 3 - SESSION_HOURS),
    })),
  });
  const { email, of, daysAgo } = castInvitation;
  const id = markedId("inv", email);
  const tokenHash = createHash("sha256").update(newToken()).digest();
  const times = { createdAt: ago(daysAgo * 24), expiresAt: new Date(now + (INVITED_DAYS - daysAgo) * DAY_MS) };
  await prisma.invitation.create({ data: { id, email, tokenHash, ...times } });
  await prisma.invitationApplication.create({ data: { invitationId: id, applicationId: applications[of] } });
}

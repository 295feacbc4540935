import { clock } from "@/server/clock";
import { db } from "@/server/db/client";
import { newId } from "@/server/db/new-id";
import { type StaffCaller, staffCaller } from "@/server/services/staff/api";
import type { Role } from "@/server/services/staff/procedure/staff-context";
import { addMember, addSession, auditTrail } from "../../fakes/stored-operators";

export interface Operator {
  id: string;
  api: StaffCaller;
}

/** A new operator, who is a member of some applications if a developer, who signed in just now, without a password, and what calls the dashboard's procedures in their name, at the time of the clock now. */
export async function newOperator(
  role: Role = "support",
  name = "Grace",
  applications: readonly string[] = [],
): Promise<Operator> {
  const id = newId("opr");
  const email = `${id}@acme.io`;
  await db().prisma.operator.create({ data: { id, email, name, role } });
  await addMember(id, applications);
  const sessionId = await addSession(id, new Date(clock().now()));
  const api = staffCaller({
    db: db(),
    now: clock().now(),
    operator: { id, email, name, role, sessionId, applications: role === "developer" ? applications : null },
    address: "192.0.2.7",
    requestId: "req_0123456789abcdef01234567",
  });
  return { id, api };
}

/** Nobody is signed in. */
export function stranger(): StaffCaller {
  return staffCaller({ db: db(), now: clock().now(), operator: null, address: null, requestId: "req_0" });
}

/** What a call was refused with. */
export async function refusal(call: Promise<unknown>): Promise<unknown> {
  const error = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  const cause = error instanceof Error ? error.cause : null;
  if (!(cause instanceof Error) || !("reason" in cause)) throw new Error(`it was not refused: ${String(error)}`);
  return cause.reason;
}

/** As `auditTrail`, without who is named there and from where. */
export async function auditOf(object: string) {
  return (await auditTrail(object)).map(({ action, operator_id, detail }) => ({ action, operator_id, detail }));
}

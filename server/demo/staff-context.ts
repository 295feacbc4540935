import { randomUUID } from "node:crypto";
import type { Installation } from "@/server/demo/installation";
import { type StaffCaller, staffCaller } from "@/server/services/staff/api";
import type { OperatorContext } from "@/server/services/staff/procedure/staff-context";

/** The operator in the audit trail. Nobody can sign in as it. */
const OPERATOR = { id: "demo", email: "npm run demo", name: "npm run demo", role: "admin", sessionId: "demo" } as const;

/** Returns a context in which the demo's staff actions run, are checked and are audited as an admin's. */
export function staffContext({ db }: Pick<Installation, "db">, now: number): OperatorContext {
  return {
    db,
    now,
    operator: { ...OPERATOR, applications: null },
    address: null,
    requestId: `req_demo_${randomUUID()}`,
  };
}

export function staff(installation: Pick<Installation, "db">, now: number): StaffCaller {
  return staffCaller(staffContext(installation, now));
}

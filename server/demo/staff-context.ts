import { randomUUID } from "node:crypto";
import type { Installation } from "@/server/demo/installation";
import { type StaffCaller, staffCaller } from "@/server/services/staff/api";
import type { OperatorContext } from "@/server/services/staff/procedure/staff-context";

/** Whom the audit trail names. Nobody signs in as it. */
const OPERATOR = { id: "demo", email: "npm run demo", name: "npm run demo", role: "admin", sessionId: "demo" } as const;

/** What the demo does as staff is done, checked and audited as if an admin had done it on a page. */
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

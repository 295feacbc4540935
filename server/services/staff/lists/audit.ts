import { auditActionNames, auditViews } from "@/server/domain/audit/actions";
import type { StaffList } from "@/server/services/staff/lists/list";

/** An entry of the audit trail. Times are ISO, in UTC. */
export interface AuditRow {
  id: string;
  at: string;
  /** Null: an unknown person. */
  operatorId: string | null;
  /** The operator's identity at the time: `email (role)`. */
  actor: string;
  action: string;
  object: string;
  detail: Record<string, unknown>;
  address: string | null;
  requestId: string | null;
}

export const auditList = {
  name: "audit",
  path: "/dashboard/settings/audit",
  search: { name: "object", label: "Search the audit trail by ID", placeholder: "whd_, app_, acc_, opr_…" },
  filters: {
    view: { kind: "choices", values: auditViews },
    from: { kind: "time", about: "Inclusive.", chip: { label: "Time" } },
    to: { kind: "time", about: "Exclusive." },
    operatorId: { kind: "id", chip: { label: "Operator" } },
    action: { kind: "choices", values: auditActionNames, chip: { label: "Action" } },
    /** Of what was done to an application itself: an entry about something else names no application. */
    application: { kind: "id", chip: { label: "Application" } },
    object: { kind: "id" },
  },
  columns: {
    at: ({ at }, time) => time(at),
    operator_id: ({ operatorId }) => operatorId,
    operator: ({ actor }) => actor,
    action: ({ action }) => action,
    object: ({ object }) => object,
    detail: ({ detail }) => (Object.keys(detail).length > 0 ? JSON.stringify(detail) : null),
    ip_address: ({ address }) => address,
    request_id: ({ requestId }) => requestId,
  },
} as const satisfies StaffList<AuditRow>;

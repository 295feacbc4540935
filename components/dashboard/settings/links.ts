import { narrowed } from "@/components/dashboard/address/paths";
import { destinations } from "@/components/dashboard/shell/navigation";

export const TEAM = "/dashboard/settings/team";
export const AUDIT = "/dashboard/settings/audit";
export const ALERTS = "/dashboard/settings/alerts";
export const PROFILE = "/dashboard/settings/profile";

const shown = /^((whd|acc|apc|app|opr)_[0-9a-f]+|[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12})$/;

/** Links to an entry's object. Null if it has no page. */
export function objectHref(object: string): string | null {
  return shown.test(object) ? (destinations(object, "admin")[0]?.href ?? null) : null;
}

/** Links to the audit trail of what an operator did, or of what was done to something. */
export function auditOf(name: "operatorId" | "object", id: string): string {
  return narrowed(AUDIT, name, id);
}

import { chipsOf, type Filter } from "@/components/dashboard/filters/spec";
import { actionWord } from "@/components/dashboard/settings/words";
import { actionsIn, auditViews } from "@/server/domain/audit/actions";
import { auditList } from "@/server/services/staff/lists/audit";

interface AuditFiltersInput {
  /** The views in the address, which may name anything. */
  view: readonly string[];
  operators: readonly { id: string; email: string }[];
  applications: readonly { id: string; name: string }[];
}

/** Builds the filters of the audit trail. The actions to choose from are those of the view. */
export function auditFilters({ view, operators, applications }: AuditFiltersInput): Filter[] {
  const actions = actionsIn(auditViews.filter((one) => view.includes(one)));
  return chipsOf(auditList, {
    operatorId: operators.map(({ id, email }) => ({ value: id, label: email })),
    application: applications.map(({ id, name }) => ({ value: id, label: name })),
    action: actions.map((action) => ({ value: action, label: actionWord(action) })),
  });
}

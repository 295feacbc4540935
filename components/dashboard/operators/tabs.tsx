import { ALERTS, AUDIT, ME, OPERATORS } from "@/components/dashboard/operators/links";
import { TabLinks } from "@/components/dashboard/tab-links";
import type { Role } from "@/server/services/staff/procedure/staff-context";

const tabs = [
  { name: "Operators", path: OPERATORS, isForAll: false },
  { name: "Audit trail", path: AUDIT, isForAll: false },
  { name: "Alerts", path: ALERTS, isForAll: false },
  { name: "My account", path: ME, isForAll: true },
];

/** Shows the tabs about operators. Support only sees its own account. */
export function OperatorTabs({ here, role }: { here: string; role: Role }) {
  const shown = tabs.filter(({ isForAll }) => isForAll || role === "admin");
  return shown.length === 1 ? null : <TabLinks label="Operators" tabs={shown} here={here} />;
}

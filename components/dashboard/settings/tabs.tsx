import { ALERTS, AUDIT, PROFILE, TEAM } from "@/components/dashboard/settings/links";
import { TabLinks } from "@/components/dashboard/tab-links";
import type { Role } from "@/server/services/staff/procedure/staff-context";

const tabs = [
  { name: "Team", path: TEAM, isForAll: false },
  { name: "Audit", path: AUDIT, isForAll: false },
  { name: "Alerts", path: ALERTS, isForAll: false },
  { name: "Profile", path: PROFILE, isForAll: true },
];

/** Shows the tabs of the settings. Support and developers only have their own profile. */
export function SettingsTabs({ here, role }: { here: string; role: Role }) {
  const shown = tabs.filter(({ isForAll }) => isForAll || role === "admin");
  return shown.length === 1 ? null : <TabLinks label="Settings" tabs={shown} here={here} />;
}

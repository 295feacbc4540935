import { redirect } from "next/navigation";
import { AlertSettings } from "@/components/dashboard/alerts/alert-settings";
import { PageHead } from "@/components/dashboard/page-head";
import { ALERTS, PROFILE } from "@/components/dashboard/settings/links";
import { SettingsTabs } from "@/components/dashboard/settings/tabs";
import { clock } from "@/server/clock";
import { staffPage } from "@/server/http/staff/page";

export const metadata = { title: "Alerts" };

export default async function StaffAlerts() {
  const { api, operator } = await staffPage();
  if (operator.role !== "admin") redirect(PROFILE);
  const settings = await api.alerts.ofStaff();
  return (
    <>
      <PageHead title="Settings" />
      <SettingsTabs here={ALERTS} role={operator.role} />
      <AlertSettings application={null} settings={settings} canChange now={clock().now()} />
    </>
  );
}

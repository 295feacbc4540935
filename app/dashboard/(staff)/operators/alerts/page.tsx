import { redirect } from "next/navigation";
import { AlertSettings } from "@/components/dashboard/alerts/alert-settings";
import { ALERTS, ME } from "@/components/dashboard/operators/links";
import { OperatorTabs } from "@/components/dashboard/operators/tabs";
import { PageHead } from "@/components/dashboard/page-head";
import { clock } from "@/server/clock";
import { staffPage } from "@/server/http/staff/page";

export const metadata = { title: "Alerts" };

export default async function StaffAlerts() {
  const { api, operator } = await staffPage();
  if (operator.role !== "admin") redirect(ME);
  const settings = await api.alerts.ofStaff();
  return (
    <>
      <PageHead title="Alerts" />
      <OperatorTabs here={ALERTS} role={operator.role} />
      <AlertSettings application={null} settings={settings} canChange now={clock().now()} />
    </>
  );
}

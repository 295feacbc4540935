import { redirect } from "next/navigation";
import { MaintenanceState } from "@/components/dashboard/maintenance/maintenance-state";
import { PageHead } from "@/components/dashboard/page-head";
import { clock } from "@/server/clock";
import { staffPage } from "@/server/http/staff/page";

export const metadata = { title: "Maintenance" };

export default async function MaintenancePage() {
  const { api, operator } = await staffPage();
  if (operator.role === "developer") redirect("/dashboard");
  const maintenance = await api.maintenance.show();
  return (
    <>
      <PageHead title="Maintenance" />
      <MaintenanceState maintenance={maintenance} canChange={operator.role === "admin"} now={clock().now()} />
    </>
  );
}

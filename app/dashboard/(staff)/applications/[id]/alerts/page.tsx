import { type ApplicationParams, titled } from "@/app/dashboard/(staff)/applications/[id]/application";
import { reading } from "@/app/dashboard/(staff)/reading";
import { AlertSettings } from "@/components/dashboard/alerts/alert-settings";
import { clock } from "@/server/clock";
import { staffPage } from "@/server/http/staff/page";

export const generateMetadata = titled("Alerts");

export default async function ApplicationAlerts({ params }: ApplicationParams) {
  const { api, operator } = await staffPage();
  const { id } = await params;
  const { value } = await reading(api.alerts.ofApplication({ id }));
  if (!value) return null;
  return (
    <AlertSettings application={id} settings={value} canChange={operator.role !== "support"} now={clock().now()} />
  );
}

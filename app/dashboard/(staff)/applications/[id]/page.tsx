import { type ApplicationParams, titled } from "@/app/dashboard/(staff)/applications/[id]/application";
import { reading } from "@/app/dashboard/(staff)/reading";
import { ApplicationOverview } from "@/components/dashboard/applications/application-overview";
import { clock } from "@/server/clock";
import { staffPage } from "@/server/http/staff/page";

export const generateMetadata = titled();

export default async function Application({ params }: ApplicationParams) {
  const { api, operator } = await staffPage();
  const { id } = await params;
  const { value } = await reading(api.applications.get({ id }));
  if (!value) return null;
  return <ApplicationOverview application={value} isAdmin={operator.role === "admin"} now={clock().now()} />;
}

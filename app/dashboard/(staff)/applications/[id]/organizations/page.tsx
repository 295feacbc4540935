import { type ApplicationParams, titled } from "@/app/dashboard/(staff)/applications/[id]/application";
import { reading } from "@/app/dashboard/(staff)/reading";
import { Organizations } from "@/components/dashboard/organizations/organizations";
import { clock } from "@/server/clock";
import { staffPage } from "@/server/http/staff/page";

export const generateMetadata = titled("Organizations");

export default async function ApplicationOrganizations({ params }: ApplicationParams) {
  const { api, operator } = await staffPage();
  const { id } = await params;
  const { value } = await reading(api.organizations.list({ id }));
  if (!value) return null;
  return <Organizations application={id} {...value} isAdmin={operator.role === "admin"} now={clock().now()} />;
}

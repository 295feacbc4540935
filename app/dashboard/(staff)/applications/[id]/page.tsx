import { type ApplicationParams, titled } from "@/app/dashboard/(staff)/applications/[id]/application";
import { reading } from "@/app/dashboard/(staff)/reading";
import { ApplicationOverview } from "@/components/dashboard/applications/application-overview";
import { ApplicationMembers } from "@/components/dashboard/members/application-members";
import { clock } from "@/server/clock";
import { staffPage } from "@/server/http/staff/page";

export const generateMetadata = titled();

export default async function Application({ params }: ApplicationParams) {
  const { api, operator } = await staffPage();
  const { id } = await params;
  const isAdmin = operator.role === "admin";
  const [{ value }, members, invitations] = await Promise.all([
    reading(api.applications.get({ id })),
    reading(api.members.list({ application: id })),
    isAdmin ? reading(api.invitations.list({ application: id })) : null,
  ]);
  if (!value || !members.value) return null;
  const now = clock().now();
  return (
    <>
      <ApplicationOverview application={value} isAdmin={isAdmin} isOwner={operator.role !== "support"} now={now} />
      <ApplicationMembers
        application={value}
        members={members.value}
        invitations={invitations?.value ?? null}
        now={now}
      />
    </>
  );
}

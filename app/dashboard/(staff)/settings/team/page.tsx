import { redirect } from "next/navigation";
import { cache, Suspense } from "react";
import { type ListParams, listed } from "@/app/dashboard/(staff)/listed";
import { OpenOperator } from "@/app/dashboard/(staff)/settings/team/open-operator";
import { address, firstOf } from "@/components/dashboard/address/address";
import { InviteDeveloper } from "@/components/dashboard/members/invite-developer";
import { PendingInvitations } from "@/components/dashboard/members/pending-invitations";
import { PageHead } from "@/components/dashboard/page-head";
import { PanelFrame } from "@/components/dashboard/panel/panel-frame";
import { PanelSkeleton } from "@/components/dashboard/panel/panel-skeleton";
import { AddOperator } from "@/components/dashboard/settings/add-operator";
import { PROFILE, TEAM } from "@/components/dashboard/settings/links";
import { OperatorTable } from "@/components/dashboard/settings/operator-table";
import { SettingsTabs } from "@/components/dashboard/settings/tabs";
import { Section } from "@/components/ui/facts";
import { formatCount } from "@/components/ui/number";
import { clock } from "@/server/clock";
import { staffPage } from "@/server/http/staff/page";

/** Cached, because the page and its status both need it. */
const operatorRows = cache(async () => {
  const { api } = await staffPage();
  return await api.operators.list();
});

export const generateMetadata = listed("Team", async (id) => {
  const { operator } = await staffPage();
  const isMissing = operator.role === "admin" && !(await operatorRows()).some((row) => row.id === id);
  return isMissing ? { fault: "", isMissing } : { value: id };
});

export default async function Operators({ searchParams }: ListParams) {
  const { api, operator } = await staffPage();
  if (operator.role !== "admin") redirect(PROFILE);
  const params = await searchParams;
  const now = clock().now();
  const [rows, invitations, applications] = await Promise.all([
    operatorRows(),
    api.invitations.list(),
    api.applications.names(),
  ]);
  const open = firstOf(params, "open");
  const closed = address(TEAM, params, { open: null });
  return (
    <>
      <PageHead
        title="Settings"
        actions={
          <>
            <InviteDeveloper applications={applications} />
            <AddOperator />
          </>
        }
      />
      <SettingsTabs here={TEAM} role={operator.role} />
      <OperatorTable rows={rows} params={params} now={now} />
      {invitations.length > 0 && (
        <Section title="Pending invitations" level={2} aside={formatCount(invitations.length)}>
          <PendingInvitations invitations={invitations} hasApplications now={now} />
        </Section>
      )}
      {open && (
        <PanelFrame id={open} closeHref={closed} label={`Operator ${open}`}>
          <Suspense key={open} fallback={<PanelSkeleton closeHref={closed} />}>
            <OpenOperator api={api} id={open} operator={rows.find(({ id }) => id === open)} params={params} now={now} />
          </Suspense>
        </PanelFrame>
      )}
    </>
  );
}

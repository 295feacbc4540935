import type { ReactNode } from "react";
import { type ApplicationParams, applicationHead } from "@/app/dashboard/(staff)/applications/[id]/application";
import { ApplicationActions } from "@/components/dashboard/applications/application-actions";
import { ApplicationTabs } from "@/components/dashboard/applications/application-tabs";
import { DisabledNotice } from "@/components/dashboard/applications/disabled-notice";
import { EditApplication } from "@/components/dashboard/applications/edit-application";
import { planWords } from "@/components/dashboard/applications/words";
import { ShedAction } from "@/components/dashboard/maintenance/shed-action";
import { ShedNotice } from "@/components/dashboard/maintenance/shed-notice";
import { MissingThing } from "@/components/dashboard/missing-thing";
import { PageHead } from "@/components/dashboard/page-head";
import { Tag } from "@/components/ui/chip";
import { clock } from "@/server/clock";
import { applicationMaintenance } from "@/server/http/staff/maintenance";
import { staffPage } from "@/server/http/staff/page";

export default async function ApplicationLayout({ params, children }: ApplicationParams & { children: ReactNode }) {
  const { operator } = await staffPage();
  const { id } = await params;
  const { value: head, fault } = await applicationHead(id);
  if (!head) return <MissingThing thing="application" fault={fault} />;
  const shed = applicationMaintenance(head.id);
  return (
    <>
      <PageHead
        title={<span className="wrap-anywhere">{head.name}</span>}
        count={
          <span className="flex flex-wrap gap-2">
            <Tag>{planWords[head.plan]}</Tag>
            {head.compatibilityMode && <Tag>Compatibility mode</Tag>}
            {head.editForeignEvents && <Tag>Changes others’ events</Tag>}
            {head.mcpWrites && <Tag>AI assistants write</Tag>}
            {head.publicClient && <Tag>Public client</Tag>}
            {head.selfRegistered && <Tag>Registered itself</Tag>}
          </span>
        }
        actions={
          operator.role === "admin" && (
            <>
              <EditApplication application={head} />
              <ShedAction application={head} isShed={shed !== null} />
              <ApplicationActions application={head} />
            </>
          )
        }
      />
      <DisabledNotice application={head} now={clock().now()} />
      <ShedNotice on={shed} now={clock().now()} />
      <ApplicationTabs id={head.id} />
      {children}
    </>
  );
}

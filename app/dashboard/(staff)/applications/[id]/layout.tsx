import type { ReactNode } from "react";
import { type ApplicationParams, applicationHead } from "@/app/dashboard/(staff)/applications/[id]/application";
import { ApplicationActions } from "@/components/dashboard/applications/application-actions";
import { ApplicationTabs } from "@/components/dashboard/applications/application-tabs";
import { DisabledNotice } from "@/components/dashboard/applications/disabled-notice";
import { EditApplication } from "@/components/dashboard/applications/edit-application";
import { APPLICATIONS, planWords } from "@/components/dashboard/applications/words";
import { PageHead } from "@/components/dashboard/page-head";
import { LinkButton } from "@/components/ui/button";
import { Tag } from "@/components/ui/chip";
import { EmptyState } from "@/components/ui/notice";
import { clock } from "@/server/clock";
import { staffPage } from "@/server/http/staff/page";

export default async function ApplicationLayout({ params, children }: ApplicationParams & { children: ReactNode }) {
  const { operator } = await staffPage();
  const { id } = await params;
  const { value: head, fault } = await applicationHead(id);
  if (!head) {
    return (
      <EmptyState
        isPage
        title="Application not found"
        action={<LinkButton href={APPLICATIONS}>Show all applications</LinkButton>}
      >
        {fault} Application IDs start with app_.
      </EmptyState>
    );
  }
  return (
    <>
      <PageHead
        title={<span className="wrap-anywhere">{head.name}</span>}
        count={
          <span className="flex flex-wrap gap-2">
            <Tag>{planWords[head.plan]}</Tag>
            {head.compatibilityMode && <Tag>Compatibility mode</Tag>}
          </span>
        }
        actions={
          operator.role === "admin" && (
            <>
              <EditApplication application={head} />
              <ApplicationActions application={head} />
            </>
          )
        }
      />
      <DisabledNotice application={head} now={clock().now()} />
      <ApplicationTabs id={head.id} />
      {children}
    </>
  );
}

import { address, type Params } from "@/components/dashboard/address/address";
import { Panel } from "@/components/dashboard/panel/panel";
import { TEAM } from "@/components/dashboard/settings/links";
import { OperatorPanel } from "@/components/dashboard/settings/operator-panel";
import { EmptyState } from "@/components/ui/notice";
import type { StaffCaller } from "@/server/services/staff/api";

interface OpenOperatorProps {
  api: StaffCaller;
  id: string;
  operator: Awaited<ReturnType<StaffCaller["operators"]["list"]>>[number] | undefined;
  params: Params;
  now: number;
}

export async function OpenOperator({ api, id, operator, params, now }: OpenOperatorProps) {
  if (operator) {
    const [sessions, applications] = await Promise.all([
      api.session.list({ operatorId: id }),
      operator.role === "developer" ? api.applications.names() : [],
    ]);
    const shown = { operator, sessions, applications, params, now };
    return <OperatorPanel {...shown} />;
  }
  return (
    <Panel closeHref={address(TEAM, params, { open: null })} title={id}>
      <EmptyState title="Operator not found">No operator has this ID. Operator IDs start with opr_.</EmptyState>
    </Panel>
  );
}

import { EndMaintenance } from "@/components/dashboard/maintenance/end-maintenance";
import { StartMaintenance } from "@/components/dashboard/maintenance/start-maintenance";
import { applicationText } from "@/components/dashboard/maintenance/words";
import type { ApplicationHead } from "@/server/services/staff/applications/shapes";

interface ShedActionProps {
  application: Pick<ApplicationHead, "id" | "name" | "isDeleted" | "disabledAt">;
  isShed: boolean;
}

/** Has an application's requests refused for a while, and accepted again. */
export function ShedAction({ application: { id, name, isDeleted, disabledAt }, isShed }: ShedActionProps) {
  if (isShed) return <EndMaintenance application={id} label="Accept requests" announcement="Requests accepted" />;
  if (isDeleted || disabledAt !== null) return null;
  return (
    <StartMaintenance
      application={id}
      label="Refuse requests…"
      title={`Refuse requests of ${name} for maintenance?`}
      text={applicationText}
      verb="Refuse requests"
      announcement="Requests refused"
    />
  );
}

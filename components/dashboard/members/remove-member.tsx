"use client";

import { ConfirmedAction } from "@/components/dashboard/confirmed-action";
import { staffClient } from "@/components/dashboard/staff-client";

interface RemoveMemberProps {
  developer: { id: string; name: string };
  application: { id: string; name: string };
  /** What the button is next to. */
  beside: "developer" | "application";
}

/** Hides an application from a developer. */
export function RemoveMember({ developer, application, beside }: RemoveMemberProps) {
  const membership = { operatorId: developer.id, applicationId: application.id };
  return (
    <ConfirmedAction
      label="Remove"
      name={`Remove ${beside === "developer" ? developer.name : application.name}`}
      look="quiet"
      isDanger
      verb="Remove"
      title={`Remove ${developer.name} from ${application.name}?`}
      text="They lose access to this application immediately. Client secrets they have seen keep working: rotate those."
      announcement="Developer removed"
      work={() => staffClient.members.remove.mutate(membership)}
    />
  );
}

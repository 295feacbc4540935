"use client";

import { Confirmed } from "@/components/dashboard/members/confirmed";
import { staffClient } from "@/components/dashboard/staff-client";

interface RemoveMemberProps {
  developer: { id: string; name: string };
  application: { id: string; name: string };
  /** What the button stands beside. */
  beside: "developer" | "application";
}

/** Hides an application from a developer. */
export function RemoveMember({ developer, application, beside }: RemoveMemberProps) {
  const membership = { operatorId: developer.id, applicationId: application.id };
  return (
    <Confirmed
      verb="Remove"
      label={`Remove ${beside === "developer" ? developer.name : application.name}`}
      title={`Remove ${developer.name} from ${application.name}?`}
      text="They can no longer see or change anything of this application, from their next request on. Client secrets they have seen keep working: rotate those."
      announcement="Developer removed"
      work={() => staffClient.members.remove.mutate(membership)}
    />
  );
}

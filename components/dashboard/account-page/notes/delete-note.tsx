"use client";

import { ConfirmedAction } from "@/components/dashboard/confirmed-action";
import { staffClient } from "@/components/dashboard/staff-client";
import { utcTime } from "@/components/ui/relative-time";

export function DeleteNote({ id, createdAt }: { id: string; createdAt: string }) {
  return (
    <ConfirmedAction
      label="Delete…"
      name={`Delete note of ${utcTime(createdAt)}`}
      look="quiet"
      isDanger
      title="Delete this note?"
      text="It’s deleted for everyone. This can’t be undone."
      verb="Delete note"
      announcement="Note deleted"
      work={() => staffClient.accounts.notes.delete.mutate({ id })}
    />
  );
}

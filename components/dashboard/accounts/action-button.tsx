"use client";

import { staffClient } from "@/components/dashboard/staff-client";
import { useAction } from "@/components/dashboard/use-action";
import { Button } from "@/components/ui/button";
import { Fault } from "@/components/ui/fault";

type Work = { syncNow: string } | { retryWrite: string };

interface ActionButtonProps {
  work: Work;
  verb: string;
  /** The button's label while it works. */
  busy: string;
  /** What a screen reader announces at the end. */
  announcement: string;
}

/** Syncs a profile now, or writes an event to its provider again. */
export function ActionButton({ work, verb, busy, announcement }: ActionButtonProps) {
  const action = useAction();
  return (
    <>
      <Button disabled={action.isBusy} onClick={() => action.run(() => done(work), announcement)}>
        {action.isBusy ? busy : verb}
      </Button>
      <Fault>{action.fault}</Fault>
    </>
  );
}

function done(work: Work): Promise<unknown> {
  return "syncNow" in work
    ? staffClient.accounts.syncNow.mutate({ profileId: work.syncNow })
    : staffClient.accounts.retryWrite.mutate({ id: work.retryWrite });
}

"use client";

import { staffClient } from "@/components/dashboard/staff-client";
import { useAction } from "@/components/dashboard/use-action";
import { Button } from "@/components/ui/button";
import { Fault } from "@/components/ui/fault";

interface EndMaintenanceProps {
  /** Null: the whole service. */
  application: string | null;
  label: string;
  /** The button's name if the same label appears in several lines. */
  name?: string;
  announcement: string;
}

/** Shows a button that ends maintenance. */
export function EndMaintenance({ application, label, name, announcement }: EndMaintenanceProps) {
  const action = useAction();
  const end = () => action.run(() => staffClient.maintenance.end.mutate({ application }), announcement);
  return (
    <>
      <Fault>{action.fault}</Fault>
      <Button aria-label={name} disabled={action.isBusy} onClick={end}>
        {action.isBusy ? "Ending…" : label}
      </Button>
    </>
  );
}

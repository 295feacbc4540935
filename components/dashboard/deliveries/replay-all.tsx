"use client";

import { type ReactNode, useState } from "react";
import { previewWords, sendable } from "@/components/dashboard/deliveries/words";
import { faultText } from "@/components/dashboard/fault-text";
import type { QueriedFilters } from "@/components/dashboard/filters/queried";
import { staffClient } from "@/components/dashboard/staff-client";
import { useAction } from "@/components/dashboard/use-action";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Fault } from "@/components/ui/fault";
import { counted, formatCount } from "@/components/ui/number";
import type { ReplayPreview } from "@/server/services/staff/deliveries/shapes";
import { type deliveryList, isNarrow } from "@/server/services/staff/lists/deliveries";

type Started = Parameters<typeof staffClient.deliveries.replays.start.mutate>[0];

interface ReplayAllProps {
  filters: QueriedFilters<typeof deliveryList>;
  count: number;
  /** There are more than can be retried at once. */
  more: boolean;
}

/** Retries all filtered deliveries after saying how many there are and in which state. */
export function ReplayAll({ filters, count, more }: ReplayAllProps) {
  const [isOpen, setOpen] = useState(false);
  const [known, setKnown] = useState<{ preview?: ReplayPreview; fault?: ReactNode }>({});
  const action = useAction();
  if (count === 0) return null;
  const what = counted(known.preview ? sendable(known.preview) : count, "delivery", "deliveries");
  const confirm = async () => {
    const input = { filters, count: known.preview?.total ?? count } as Started;
    const isDone = await action.run(() => staffClient.deliveries.replays.start.mutate(input), `Retrying ${what}`);
    if (isDone) setOpen(false);
  };
  const change = async (toOpen: boolean) => {
    action.reset();
    setOpen(toOpen);
    if (!toOpen) return;
    setKnown({});
    setKnown(
      await staffClient.deliveries.replays.preview.query(filters as Started["filters"]).then(
        (preview) => ({ preview }),
        (error: unknown) => ({ fault: faultText(error) }),
      ),
    );
  };
  return (
    <>
      <Button reason={reasonNot({ filters, count, more })} onClick={() => change(true)}>
        Retry all…
      </Button>
      <Dialog
        isOpen={isOpen}
        onOpenChange={change}
        title="Retry deliveries"
        description="Each delivery is sent again with the same Svc-Delivery-Id, a few at a time per host. Receivers can use the ID to ignore duplicates. You can stop at any time."
        actions={
          <>
            <Button onClick={() => change(false)}>Cancel</Button>
            <Button
              look="primary"
              disabled={action.isBusy || !known.preview || sendable(known.preview) === 0}
              onClick={confirm}
            >
              {action.isBusy ? "Starting…" : `Retry ${what}`}
            </Button>
          </>
        }
      >
        <p role="status" className="tnum text-13">
          {known.preview ? previewWords(known.preview) : known.fault ? "" : "Counting…"}
        </p>
        <Fault>{action.fault ?? known.fault}</Fault>
      </Dialog>
    </>
  );
}

/** Says why these can't be retried all at once. Undefined: they can. */
function reasonNot({ filters, count, more }: ReplayAllProps): string | undefined {
  if (!isNarrow(filters)) return "Add a filter to retry all.";
  return more ? `Over ${formatCount(count)} match. Add a filter.` : undefined;
}

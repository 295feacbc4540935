"use client";

import { type ReactNode, useState } from "react";
import { countsInWords } from "@/components/dashboard/deliveries/words";
import { faultText } from "@/components/dashboard/fault-text";
import type { QueriedFilters } from "@/components/dashboard/filters/queried";
import { staffClient } from "@/components/dashboard/staff-client";
import { useAction } from "@/components/dashboard/use-action";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Fault } from "@/components/ui/fault";
import { formatCount } from "@/components/ui/number";
import {
  type DeliveryState,
  type deliveryList,
  deliveryStates,
  isNarrow,
} from "@/server/services/staff/lists/deliveries";

type Started = Parameters<typeof staffClient.deliveries.replays.start.mutate>[0];
type Counted = Parameters<typeof staffClient.deliveries.count.query>[0];

interface ReplayAllProps {
  filters: QueriedFilters<typeof deliveryList>;
  count: number;
  /** There are more than can be retried at once. */
  more: boolean;
}

/** Retries all filtered deliveries after saying how many there are and in which state. */
export function ReplayAll({ filters, count, more }: ReplayAllProps) {
  const [isOpen, setOpen] = useState(false);
  const [known, setKnown] = useState<{ words?: string; fault?: ReactNode }>({});
  const action = useAction();
  if (count === 0) return null;
  const hindrance = hindranceOf({ filters, count, more });
  const what = count === 1 ? "one delivery" : `${formatCount(count)} deliveries`;
  const confirm = async () => {
    const input = { filters, count } as Started;
    const isDone = await action.run(() => staffClient.deliveries.replays.start.mutate(input), `Retrying ${what}`);
    if (isDone) setOpen(false);
  };
  const change = async (toOpen: boolean) => {
    action.reset();
    setOpen(toOpen);
    if (!toOpen || hindrance) return;
    setKnown({});
    setKnown(
      await countByState(filters).then(
        (counts) => ({ words: countsInWords(counts) }),
        (error: unknown) => ({ fault: faultText(error) }),
      ),
    );
  };
  return (
    <>
      <Button onClick={() => change(true)}>Retry all…</Button>
      <Dialog
        isOpen={isOpen}
        onOpenChange={change}
        title={hindrance?.title ?? `Retry ${what}?`}
        description={
          hindrance?.text ??
          "Each delivery is sent once more with the same Svc-Delivery-Id, a few at a time per host. Receivers can use the ID to ignore duplicates. You can stop at any time."
        }
        actions={
          <>
            <Button onClick={() => change(false)}>{hindrance ? "Close" : "Cancel"}</Button>
            {!hindrance && (
              <Button look="primary" disabled={action.isBusy || known.words === undefined} onClick={confirm}>
                {action.isBusy ? "Starting…" : `Retry ${what}`}
              </Button>
            )}
          </>
        }
      >
        {!hindrance && <p className="tnum text-13">{known.words ?? (known.fault ? "" : "Counting…")}</p>}
        <Fault>{action.fault ?? known.fault}</Fault>
      </Dialog>
    </>
  );
}

/** Explains why these can't be retried all at once. Null: they can. */
function hindranceOf({ filters, count, more }: ReplayAllProps): { title: string; text: string } | null {
  if (!isNarrow(filters)) {
    return {
      title: "Narrow the list first",
      text: "This would retry the deliveries of every application. Add a filter other than time, such as a state or a channel, and try again.",
    };
  }
  if (!more) return null;
  return {
    title: "Too many deliveries",
    text: `The filters match more than ${formatCount(count)} deliveries. Narrow them, for example by time or channel, and try again.`,
  };
}

async function countByState(
  filters: QueriedFilters<typeof deliveryList>,
): Promise<Partial<Record<DeliveryState, number>>> {
  const states = filters.state?.length ? [...new Set(filters.state.map(stored))] : deliveryStates;
  const counting = states.map(async (state) => {
    const wanted = (filters.state ?? []).filter((name) => stored(name) === state);
    const { count } = await staffClient.deliveries.count.query({
      ...filters,
      state: wanted.length > 0 ? wanted : [state],
    } as Counted);
    return [state, count] as const;
  });
  return Object.fromEntries(await Promise.all(counting));
}

/** Maps queued and retrying, which only filters distinguish, to the stored state. */
function stored(state: string): string {
  return state === "queued" || state === "retrying" ? "pending" : state;
}

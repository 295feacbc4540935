"use client";

import { type ReactNode, useState } from "react";
import { type AskedFilters, isNarrow } from "@/components/dashboard/deliveries/filters";
import { countsInWords, stateWords } from "@/components/dashboard/deliveries/words";
import { faultText } from "@/components/dashboard/fault-text";
import { staffClient } from "@/components/dashboard/staff-client";
import { useDeed } from "@/components/dashboard/use-deed";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Fault } from "@/components/ui/fault";
import { formatCount } from "@/components/ui/number";
import type { DeliveryState } from "@/server/services/staff/deliveries/shapes";

type Started = Parameters<typeof staffClient.deliveries.replays.start.mutate>[0];
type Counted = Parameters<typeof staffClient.deliveries.count.query>[0];

interface ReplayAllProps {
  filters: AskedFilters;
  count: number;
  /** There are more than may be retried at once. */
  more: boolean;
}

/** Retries all that the filters show, after saying how many that are and what became of them before. */
export function ReplayAll({ filters, count, more }: ReplayAllProps) {
  const [isOpen, setOpen] = useState(false);
  const [known, setKnown] = useState<{ words?: string; fault?: ReactNode }>({});
  const deed = useDeed();
  if (count === 0) return null;
  const hindrance = hindranceOf({ filters, count, more });
  const what = count === 1 ? "one delivery" : `${formatCount(count)} deliveries`;
  const confirm = async () => {
    const input = { filters, count } as Started;
    const isDone = await deed.run(() => staffClient.deliveries.replays.start.mutate(input), `Retrying ${what}`);
    if (isDone) setOpen(false);
  };
  const change = async (toOpen: boolean) => {
    deed.reset();
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
      <Button onClick={() => change(true)}>Retry these …</Button>
      <Dialog
        isOpen={isOpen}
        onOpenChange={change}
        title={hindrance?.title ?? `Retry ${what}?`}
        description={
          hindrance?.text ??
          "Each is attempted once more under its own Svc-Delivery-Id, a few at a time for each host. Receivers that took one already are to know it by that id. It can be stopped at any time."
        }
        actions={
          <>
            <Button onClick={() => change(false)}>{hindrance ? "Back" : "Keep as it is"}</Button>
            {!hindrance && (
              <Button look="primary" disabled={deed.isBusy || known.words === undefined} onClick={confirm}>
                {deed.isBusy ? "Starting …" : `Retry ${what}`}
              </Button>
            )}
          </>
        }
      >
        {!hindrance && <p className="tnum text-13">{known.words ?? (known.fault ? "" : "Counting …")}</p>}
        <Fault>{deed.fault ?? known.fault}</Fault>
      </Dialog>
    </>
  );
}

/** Why these may not be retried all at once; null: they may. */
function hindranceOf({ filters, count, more }: ReplayAllProps): { title: string; text: string } | null {
  if (!isNarrow(filters)) {
    return {
      title: "Say first which ones",
      text: "These are the deliveries of all applications. Narrow the list by more than time, for example to what failed or to one channel, and try again.",
    };
  }
  if (!more) return null;
  return {
    title: "That is too many at once",
    text: `The filters match more than ${formatCount(count)} deliveries. Narrow them, for example by time or channel, and try again.`,
  };
}

async function countByState(filters: AskedFilters): Promise<Partial<Record<DeliveryState, number>>> {
  const states = filters.state ?? Object.keys(stateWords);
  const counting = states.map(async (state) => {
    const { count } = await staffClient.deliveries.count.query({ ...filters, state: [state] } as Counted);
    return [state, count] as const;
  });
  return Object.fromEntries(await Promise.all(counting));
}

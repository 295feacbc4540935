"use client";

import { useState } from "react";
import { useEach } from "@/components/dashboard/selection/use-each";
import { staffClient } from "@/components/dashboard/staff-client";
import { Button } from "@/components/ui/button";
import { Confirm } from "@/components/ui/dialog";
import { Fault } from "@/components/ui/fault";
import { counted } from "@/components/ui/number";

interface SelectionBarProps {
  kind: "deliveries" | "endpoints";
  chosen: readonly string[];
  onClear(): void;
}

interface BulkAction {
  label: string;
  /** The start of the result: "Retrying 3 deliveries." */
  past: string;
  /** What a confirmation says; omitted: there is none. */
  text?: string;
  isDanger?: boolean;
  work(id: string): Promise<unknown>;
}

const actions: Record<SelectionBarProps["kind"], readonly BulkAction[]> = {
  deliveries: [
    { label: "Retry", past: "Retrying", work: (id) => staffClient.deliveries.retry.mutate({ id }) },
    {
      label: "Cancel",
      past: "Canceled",
      text: "No more attempts will be made for pending deliveries. An attempt in progress isn’t interrupted.",
      isDanger: true,
      work: (id) => staffClient.deliveries.cancel.mutate({ id }),
    },
  ],
  endpoints: [
    {
      label: "Pause",
      past: "Paused",
      text: "New deliveries are held for up to 30 days and sent when you resume. The API still lists the channels as open.",
      work: (id) => staffClient.channels.pause.mutate({ id }),
    },
    {
      label: "Resume",
      past: "Resumed",
      text: "All held deliveries are sent now, a few at a time.",
      work: (id) => staffClient.channels.resume.mutate({ id }),
    },
  ],
};

const nouns = { deliveries: ["delivery", "deliveries"], endpoints: ["endpoint", "endpoints"] } as const;

/** Shows how many rows are selected, what can be done with them, and what came of it. */
export function SelectionBar({ kind, chosen, onClear }: SelectionBarProps) {
  const [asked, setAsked] = useState<BulkAction | null>(null);
  const each = useEach();
  const [one, several] = nouns[kind];
  const run = async ({ past, work }: BulkAction) => {
    setAsked(null);
    if (await each.run(chosen, work, (count) => `${past} ${counted(count, one, several)}`)) onClear();
  };
  const isShown = chosen.length > 0 || each.outcome !== null || each.fault !== null;
  if (!isShown) return null;
  return (
    <div className="pointer-events-none fixed inset-x-0 bottom-4 z-40 flex justify-center px-4 max-md:bottom-18">
      <section
        aria-label="Selection"
        className="tnum pointer-events-auto flex flex-wrap items-center gap-x-3 gap-y-2 rounded-md border bg-raised px-3 py-2 text-13 shadow-float"
      >
        {chosen.length > 0 && <span>{each.progress ?? `${counted(chosen.length, one, several)} selected`}</span>}
        {chosen.length > 0 &&
          actions[kind].map((action) => (
            <Button
              key={action.label}
              disabled={each.progress !== null}
              onClick={() => (action.text ? setAsked(action) : run(action))}
            >
              {action.text ? `${action.label}…` : action.label}
            </Button>
          ))}
        {each.outcome && <span>{each.outcome}</span>}
        <Fault>{each.fault}</Fault>
        <Button
          look="quiet"
          disabled={each.progress !== null}
          onClick={() => {
            each.reset();
            onClear();
          }}
        >
          {chosen.length > 0 ? "Clear" : "Dismiss"}
        </Button>
      </section>
      {asked && (
        <Confirm
          isOpen
          onOpenChange={() => setAsked(null)}
          title={`${asked.label} ${counted(chosen.length, one, several)}?`}
          text={asked.text ?? ""}
          verb={`${asked.label} ${counted(chosen.length, one, several)}`}
          isDanger={asked.isDanger ?? false}
          isBusy={false}
          fault={null}
          onConfirm={() => run(asked)}
        />
      )}
    </div>
  );
}

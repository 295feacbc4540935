"use client";

import { useEffect, useState } from "react";
import { queriedTime, typedTime } from "@/components/dashboard/address/time-range";
import { countsInWords } from "@/components/dashboard/deliveries/words";
import { faultText } from "@/components/dashboard/fault-text";
import { staffClient } from "@/components/dashboard/staff-client";
import { useAction } from "@/components/dashboard/use-action";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Fault } from "@/components/ui/fault";
import { Checkbox, TextField } from "@/components/ui/field";
import { counted } from "@/components/ui/number";
import { useTimes } from "@/components/ui/times";

const DAY_MS = 86_400_000;
const SETTLED_MS = 300;
const undelivered = ["failed", "cancelled"] as const;
const all = [...undelivered, "delivered"] as const;

interface RetrySinceProps {
  endpoint: { id: string; failingSince: string | null; pausedAt: string | null };
  now: number;
}

/** Sends again what was created since a time: what was not delivered, or all of it. */
export function RetrySince({ endpoint, now }: RetrySinceProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>Retry since…</Button>
      {isOpen && <RetryDialog endpoint={endpoint} now={now} onClose={() => setOpen(false)} />}
    </>
  );
}

interface Found {
  /** What was counted. */
  key: string;
  total: number;
  words: string;
  fault?: React.ReactNode;
}

function RetryDialog({ endpoint, now, onClose }: RetrySinceProps & { onClose(): void }) {
  const { mode, zone } = useTimes();
  const action = useAction();
  const start = endpoint.failingSince ?? new Date(now - DAY_MS).toISOString();
  const [typed, setTyped] = useState(() => typedTime(start, zone) ?? "");
  const [isAll, setAll] = useState(false);
  const [found, setFound] = useState<Found | null>(null);
  const states = isAll ? all : undelivered;
  const from = `${queriedTime(typed, zone)}Z`;
  const isTime = !Number.isNaN(Date.parse(from));
  const key = `${from} ${isAll}`;
  const known = found?.key === key ? found : null;

  useEffect(() => {
    if (!isTime) return;
    let isOver = false;
    const timer = setTimeout(async () => {
      const result = await countedSince(endpoint.id, from, isAll);
      if (!isOver) setFound({ key, ...result });
    }, SETTLED_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [endpoint.id, from, isAll, isTime, key]);

  const what = counted(known?.total ?? 0, "delivery", "deliveries");
  const confirm = async () => {
    const filters = { channel: endpoint.id, from, state: [...states] };
    const begin = () => staffClient.deliveries.replays.start.mutate({ filters, count: known?.total ?? 0 });
    if (await action.run(begin, `Retrying ${what}`)) onClose();
  };
  return (
    <Dialog
      isOpen
      onOpenChange={onClose}
      title="Retry deliveries since a time"
      description="Each delivery is sent once more with the same Svc-Delivery-Id, the newest first. You can stop it on the Deliveries page."
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" disabled={action.isBusy || !known || known.total === 0} onClick={confirm}>
            {action.isBusy ? "Starting…" : known && known.total > 0 ? `Retry ${what}` : "Retry"}
          </Button>
        </>
      }
    >
      <div className="grid gap-3">
        <TextField
          label={`Created since (${mode === "utc" ? "UTC" : "local time"})`}
          hint={endpoint.failingSince ? "Filled in: when the endpoint began to fail." : "Filled in: 24 hours ago."}
          type="datetime-local"
          step={1}
          value={typed}
          fault={isTime ? undefined : "Enter a date and a time."}
          onChange={(event) => setTyped(event.target.value)}
        />
        <Checkbox
          label="Also those that were delivered"
          checked={isAll}
          onChange={(event) => setAll(event.target.checked)}
        />
        <p role="status" className="tnum text-13">
          {known
            ? known.fault
              ? ""
              : known.total === 0
                ? "No deliveries match."
                : known.words
            : isTime && "Counting…"}
        </p>
        <Fault>{action.fault ?? known?.fault}</Fault>
      </div>
    </Dialog>
  );
}

async function countedSince(channel: string, from: string, isAll: boolean): Promise<Omit<Found, "key">> {
  const states = isAll ? all : undelivered;
  try {
    const counts = await Promise.all(
      states.map((state) => staffClient.deliveries.count.query({ channel, from, state: [state] })),
    );
    const byState = Object.fromEntries(states.map((state, index) => [state, counts[index]?.count ?? 0]));
    const total = counts.reduce((sum, { count }) => sum + count, 0);
    return { total, words: countsInWords(byState) };
  } catch (error) {
    return { total: 0, words: "", fault: faultText(error) };
  }
}

"use client";

import { useEffect, useState } from "react";
import { queriedTime, typedTime } from "@/components/dashboard/address/time-range";
import { previewWords, sendable } from "@/components/dashboard/deliveries/words";
import { faultText } from "@/components/dashboard/fault-text";
import { staffClient } from "@/components/dashboard/staff-client";
import { useAction } from "@/components/dashboard/use-action";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Fault } from "@/components/ui/fault";
import { Checkbox, TextField } from "@/components/ui/field";
import { counted } from "@/components/ui/number";
import { useTimes } from "@/components/ui/times";
import type { ReplayPreview } from "@/server/services/staff/deliveries/shapes";
import type { EndpointDetail } from "@/server/services/staff/endpoints/shapes";

const DAY_MS = 86_400_000;
const SETTLED_MS = 300;
const undelivered = ["pending", "failed", "cancelled"] as const;
const all = [...undelivered, "delivered"] as const;

interface RetrySinceProps {
  endpoint: Pick<EndpointDetail, "id" | "applicationId" | "failingSince">;
  now: number;
}

/** Sends again what was created since a time: what waits or was not delivered, or all of it. */
export function RetrySince({ endpoint, now }: RetrySinceProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>Retry since…</Button>
      {isOpen && <RetryDialog endpoint={endpoint} now={now} onClose={() => setOpen(false)} />}
    </>
  );
}

interface Counted {
  /** The time and states that were counted. */
  key: string;
  preview?: ReplayPreview;
  fault?: React.ReactNode;
}

function RetryDialog({ endpoint, now, onClose }: RetrySinceProps & { onClose(): void }) {
  const { mode, zone } = useTimes();
  const action = useAction();
  const start = endpoint.failingSince ?? new Date(now - DAY_MS).toISOString();
  const [typed, setTyped] = useState(() => typedTime(start, zone) ?? "");
  const [isAll, setAll] = useState(false);
  const [last, setLast] = useState<Counted | null>(null);
  const from = `${queriedTime(typed, zone)}Z`;
  const isTime = !Number.isNaN(Date.parse(from));
  const { id: channel, applicationId: application } = endpoint;
  const filters = { channel, application, from, state: [...(isAll ? all : undelivered)] };
  const key = JSON.stringify(filters);
  const known = last?.key === key ? last : null;
  const count = known?.preview ? sendable(known.preview) : 0;

  useEffect(() => {
    if (!isTime) return;
    let isOver = false;
    const timer = setTimeout(async () => {
      const result = await staffClient.deliveries.replays.preview.query(JSON.parse(key)).then(
        (preview) => ({ preview }),
        (error: unknown) => ({ fault: faultText(error) }),
      );
      if (!isOver) setLast({ key, ...result });
    }, SETTLED_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [isTime, key]);

  const what = counted(count, "delivery", "deliveries");
  const confirm = async () => {
    const begin = () => staffClient.deliveries.replays.start.mutate({ filters, count });
    if (await action.run(begin, `Retrying ${what}`)) onClose();
  };
  return (
    <Dialog
      isOpen
      onOpenChange={onClose}
      title="Retry deliveries created since"
      description="Each delivery is sent again with the same Svc-Delivery-Id, the newest first. You can stop at any time."
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" disabled={action.isBusy || count === 0} onClick={confirm}>
            {action.isBusy ? "Starting…" : count > 0 ? `Retry ${what}` : "Retry"}
          </Button>
        </>
      }
    >
      <div className="grid gap-3">
        <TextField
          label={`Created since (${mode === "utc" ? "UTC" : "local time"})`}
          hint={endpoint.failingSince ? "Defaults to when the endpoint started failing." : "Defaults to 24 hours ago."}
          type="datetime-local"
          step={1}
          value={typed}
          fault={isTime ? undefined : "Enter a date and a time."}
          onChange={(event) => setTyped(event.target.value)}
        />
        <Checkbox label="Include delivered" checked={isAll} onChange={(event) => setAll(event.target.checked)} />
        <p role="status" className="tnum text-13">
          {known?.preview ? previewWords(known.preview) : isTime && !known && "Counting…"}
        </p>
        <Fault>{action.fault ?? known?.fault}</Fault>
      </div>
    </Dialog>
  );
}

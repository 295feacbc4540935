"use client";

import { useState } from "react";
import { useProgress } from "@/components/dashboard/deliveries/use-progress";
import { cancelledWords } from "@/components/dashboard/deliveries/words";
import { staffClient } from "@/components/dashboard/staff-client";
import { useAction } from "@/components/dashboard/use-action";
import { Button } from "@/components/ui/button";
import { Confirm } from "@/components/ui/dialog";
import { Fault } from "@/components/ui/fault";
import type { DeliveryState } from "@/server/services/staff/lists/deliveries";

interface DeliveryActionsProps {
  id: string;
  state: DeliveryState;
  /** The number of the last attempt that has ended. 0: none has. */
  ended: number;
  /** Staff requested an attempt that has not ended. */
  isManual: boolean;
  isUnderWay: boolean;
  /** Nothing is sent to a closed channel. */
  isClosed: boolean;
  /** Support can only cancel what staff requested. */
  isAdmin: boolean;
}

/** Shows Retry now and its result, and cancels the retry, or the delivery while it is pending. */
export function DeliveryActions({ id, state, ended, isManual, isUnderWay, isClosed, isAdmin }: DeliveryActionsProps) {
  const [isConfirming, setConfirming] = useState(false);
  const retry = useAction();
  const cancel = useAction();
  const isWaiting = isManual || isUnderWay;
  const { outcome, expect } = useProgress({ id, isWaiting, ended });
  const retryNow = async () => {
    const { attempt } = await staffClient.deliveries.retry.mutate({ id });
    expect(attempt);
  };
  const confirm = async () => {
    const input = { id, ...(isManual && { requested: true as const }) };
    const isDone = await cancel.run(
      () => staffClient.deliveries.cancel.mutate(input),
      (done) => cancelledWords(done.state, isManual),
    );
    if (isDone) setConfirming(false);
  };
  const words = isManual ? takingBack : ending;
  return (
    <>
      <Button
        look={state === "delivered" ? "plain" : "primary"}
        disabled={retry.isBusy || isWaiting || isClosed}
        onClick={() => retry.run(retryNow, "Retrying")}
      >
        {isWaiting || retry.isBusy ? "Retrying…" : state === "delivered" ? "Send again" : "Retry now"}
      </Button>
      {state === "pending" && (isManual || isAdmin) && (
        <Button onClick={() => setConfirming(true)}>{words.verb}</Button>
      )}
      {isClosed && <p className="self-center text-13 text-faint">The channel is closed. Nothing more will be sent.</p>}
      {outcome && !isWaiting && <p className="tnum self-center text-13">{outcome}</p>}
      <Fault>{retry.fault}</Fault>
      <Confirm
        isOpen={isConfirming}
        onOpenChange={setConfirming}
        {...words}
        isDanger={!isManual}
        isBusy={cancel.isBusy}
        fault={cancel.fault}
        onConfirm={confirm}
      />
    </>
  );
}

const ending = {
  title: "Cancel this delivery?",
  text: "No more attempts will be made. An attempt in progress isn’t interrupted. The application learns about the change from the channel’s next notification, or when it reads events.",
  verb: "Cancel delivery",
};

const takingBack = {
  title: "Cancel this retry?",
  text: "The manual retry won’t be sent, and the delivery returns to its previous state. An attempt in progress isn’t interrupted.",
  verb: "Cancel retry",
};

"use client";

import { useState } from "react";
import { cancelledWords } from "@/components/dashboard/deliveries/words";
import { staffClient } from "@/components/dashboard/staff-client";
import { useDeed } from "@/components/dashboard/use-deed";
import { Button } from "@/components/ui/button";
import { Confirm } from "@/components/ui/dialog";
import { Fault } from "@/components/ui/fault";
import type { DeliveryState } from "@/server/services/staff/deliveries/shapes";

interface DeliveryDeedsProps {
  id: string;
  state: DeliveryState;
  /** Staff asked for an attempt that has not ended. */
  isAsked: boolean;
  isUnderWay: boolean;
  /** Nothing is sent to a closed channel. */
  isClosed: boolean;
  /** Support only takes back what staff asked for. */
  isAdmin: boolean;
}

/** Retry now; take that back, or cancel while it is pending. */
export function DeliveryDeeds({ id, state, isAsked, isUnderWay, isClosed, isAdmin }: DeliveryDeedsProps) {
  const [isConfirming, setConfirming] = useState(false);
  const retry = useDeed();
  const cancel = useDeed();
  const confirm = async () => {
    const input = { id, ...(isAsked && { asked: true as const }) };
    const isDone = await cancel.run(
      () => staffClient.deliveries.cancel.mutate(input),
      (done) => cancelledWords(done.state, isAsked),
    );
    if (isDone) setConfirming(false);
  };
  const isWaiting = isAsked || isUnderWay;
  const words = isAsked ? takingBack : ending;
  return (
    <>
      <Button
        look={state === "delivered" ? "plain" : "primary"}
        disabled={retry.isBusy || isWaiting || isClosed}
        onClick={() => retry.run(() => staffClient.deliveries.retry.mutate({ id }), "An attempt is on its way")}
      >
        {isWaiting
          ? "An attempt is on its way"
          : retry.isBusy
            ? "Asking …"
            : state === "delivered"
              ? "Send again"
              : "Retry now"}
      </Button>
      {state === "pending" && (isAsked || isAdmin) && <Button onClick={() => setConfirming(true)}>{words.verb}</Button>}
      {isClosed && <p className="self-center text-13 text-faint">Its channel is closed: nothing more is sent to it.</p>}
      <Fault>{retry.fault}</Fault>
      <Confirm
        isOpen={isConfirming}
        onOpenChange={setConfirming}
        {...words}
        isDanger={!isAsked}
        isBusy={cancel.isBusy}
        fault={cancel.fault}
        onConfirm={confirm}
      />
    </>
  );
}

const ending = {
  title: "Cancel this delivery?",
  text: "No more attempts are made; one that is under way is not called back. The application learns of the change with its channel's next notification, or when it reads.",
  verb: "Cancel delivery",
};

const takingBack = {
  title: "Don’t send it again?",
  text: "The attempt that staff asked for is not made, and the delivery is what it was before. An attempt that is under way is not called back.",
  verb: "Don’t send it again",
};

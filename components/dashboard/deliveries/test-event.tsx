"use client";

import { useState } from "react";
import { narrowed } from "@/components/dashboard/address/paths";
import { useProgress } from "@/components/dashboard/deliveries/use-progress";
import { attemptWords } from "@/components/dashboard/deliveries/words";
import { DetailLink } from "@/components/dashboard/panel/detail-link";
import { staffClient } from "@/components/dashboard/staff-client";
import { useAction } from "@/components/dashboard/use-action";
import { Button } from "@/components/ui/button";
import { Fault } from "@/components/ui/fault";
import type { DeliveryProgress } from "@/server/services/staff/deliveries/shapes";
import { deliveryList } from "@/server/services/staff/lists/deliveries";

/** Sends a `change` that no change caused, and says what its attempt came to. It is then the channel's newest delivery. */
export function TestEvent({ channelId }: { channelId: string }) {
  const action = useAction();
  const [id, setId] = useState<string | null>(null);
  const { outcome, isOn, expect } = useProgress({ id, isWaiting: false, ended: 0, words: testWords });
  const send = async () => {
    const { deliveryId } = await staffClient.channels.test.mutate({ id: channelId });
    setId(deliveryId);
    expect(1);
  };
  return (
    <>
      <Button disabled={action.isBusy || isOn} onClick={() => action.run(send, "Sending a test event")}>
        {action.isBusy || isOn ? "Sending…" : "Send test event"}
      </Button>
      {id !== null && outcome !== null && (
        <p className="tnum self-center text-13">
          {outcome} <span className="text-faint">·</span>{" "}
          <DetailLink href={narrowed(deliveryList.path, "open", id)}>View delivery</DetailLink>
        </p>
      )}
      <Fault>{action.fault}</Fault>
    </>
  );
}

function testWords(last: NonNullable<DeliveryProgress["last"]>): string {
  return attemptWords(last, "Test");
}

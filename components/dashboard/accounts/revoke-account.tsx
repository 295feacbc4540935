"use client";

import { useState } from "react";
import { staffClient } from "@/components/dashboard/staff-client";
import { useAction } from "@/components/dashboard/use-action";
import { Button } from "@/components/ui/button";
import { Confirm } from "@/components/ui/dialog";

interface RevokeAccountProps {
  id: string;
  name: string;
  /** Almanac alone has its events. */
  isHosted: boolean;
  calendars: number;
  openChannels: number;
}

/** Ends what a person granted, after saying what goes. */
export function RevokeAccount({ id, name, isHosted, calendars, openChannels }: RevokeAccountProps) {
  const [isOpen, setOpen] = useState(false);
  const action = useAction();
  const revoke = async () => {
    if (await action.run(() => staffClient.accounts.revoke.mutate({ id }), "Account revoked")) setOpen(false);
  };
  const change = (toOpen: boolean) => {
    action.reset();
    setOpen(toOpen);
  };
  return (
    <>
      <Button look="danger" onClick={() => change(true)}>
        Revoke…
      </Button>
      <Confirm
        isOpen={isOpen}
        onOpenChange={change}
        title={`Revoke ${name}?`}
        text={consequences({ isHosted, calendars, openChannels })}
        verb="Revoke account"
        isDanger
        isBusy={action.isBusy}
        fault={action.fault}
        onConfirm={revoke}
      />
    </>
  );
}

function consequences({ isHosted, calendars, openChannels }: Omit<RevokeAccountProps, "id" | "name">): string {
  const ends = [
    "its tokens stop working",
    ...counted(openChannels, "open channel closes", "open channels close"),
    "pending deliveries are cancelled",
    ...counted(calendars, "calendar is removed from Almanac", "calendars are removed from Almanac"),
  ];
  const list = new Intl.ListFormat("en", { type: "conjunction" }).format(ends);
  const events = isHosted
    ? "Its events are stored only in Almanac and will be deleted."
    : "Events stay with the provider. To use this account again, the user must reconnect.";
  return `${list.slice(0, 1).toUpperCase()}${list.slice(1)}. ${events} This can’t be undone.`;
}

function counted(count: number, one: string, many: string): string[] {
  if (count === 0) return [];
  return [count === 1 ? `1 ${one}` : `${count} ${many}`];
}

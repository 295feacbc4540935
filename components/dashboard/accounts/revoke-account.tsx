"use client";

import { useState } from "react";
import { staffClient } from "@/components/dashboard/staff-client";
import { useDeed } from "@/components/dashboard/use-deed";
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
  const deed = useDeed();
  const revoke = async () => {
    if (await deed.run(() => staffClient.accounts.revoke.mutate({ id }), "The account is revoked")) setOpen(false);
  };
  const change = (toOpen: boolean) => {
    deed.reset();
    setOpen(toOpen);
  };
  return (
    <>
      <Button look="danger" onClick={() => change(true)}>
        Revoke …
      </Button>
      <Confirm
        isOpen={isOpen}
        onOpenChange={change}
        title={`Revoke ${name}?`}
        text={consequences({ isHosted, calendars, openChannels })}
        verb="Revoke account"
        isDanger
        isBusy={deed.isBusy}
        fault={deed.fault}
        onConfirm={revoke}
      />
    </>
  );
}

function consequences({ isHosted, calendars, openChannels }: Omit<RevokeAccountProps, "id" | "name">): string {
  const goes = [
    "The application’s tokens for it end",
    ...counted(openChannels, "open channel closes", "open channels close"),
    "deliveries that are pending are cancelled",
    ...counted(calendars, "calendar goes from Almanac", "calendars go from Almanac"),
  ];
  const events = isHosted
    ? "Its events are kept nowhere else: they are gone for good."
    : "Events stay at the provider, and the person would have to connect again.";
  return `${goes.join("; ")}. ${events} This cannot be taken back.`;
}

function counted(count: number, one: string, many: string): string[] {
  if (count === 0) return [];
  return [count === 1 ? `its ${one}` : `its ${count} ${many}`];
}

"use client";

import { ConfirmedAction } from "@/components/dashboard/confirmed-action";
import { staffClient } from "@/components/dashboard/staff-client";

interface RevokeAccountProps {
  id: string;
  name: string;
  /** Only Almanac has its events. */
  isHosted: boolean;
  calendars: number;
  openChannels: number;
}

/** Revokes a user's grant after saying what will be lost. */
export function RevokeAccount({ id, name, isHosted, calendars, openChannels }: RevokeAccountProps) {
  return (
    <ConfirmedAction
      label="Revoke…"
      look="danger"
      title={`Revoke ${name}?`}
      text={consequences({ isHosted, calendars, openChannels })}
      verb="Revoke account"
      announcement="Account revoked"
      work={() => staffClient.accounts.revoke.mutate({ id })}
    />
  );
}

function consequences({ isHosted, calendars, openChannels }: Omit<RevokeAccountProps, "id" | "name">): string {
  const ends = [
    "its tokens stop working",
    ...counted(openChannels, "open channel closes", "open channels close"),
    "pending deliveries are canceled",
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

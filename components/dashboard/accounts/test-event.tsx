import { ActionButton } from "@/components/dashboard/accounts/action-button";

/** Sends a `change` that no change caused. It is then the channel's newest delivery. */
export function TestEvent({ channelId }: { channelId: string }) {
  return (
    <ActionButton
      work={{ testChannel: channelId }}
      verb="Send test event"
      busy="Sending…"
      announcement="The test event is on its way."
    />
  );
}

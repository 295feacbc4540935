import { backgroundFaults, sentence } from "@/components/dashboard/overview/background-state";
import { counted } from "@/components/ui/number";
import type { Tone } from "@/components/ui/state";
import type { Overview } from "@/server/services/staff/overview/shapes";

/** Sums up the service's state in a line: good only if nothing is wrong. */
export function serviceState(overview: Overview, now: number): { tone: Tone; line: string } {
  const { failingEndpoints, mailboxes, deliveries } = overview;
  const urgent = [
    failingEndpoints.count > 0 && `${counted(failingEndpoints.count, "endpoint")} failing`,
    mailboxes.disconnected > 0 && `${counted(mailboxes.disconnected, "profile")} disconnected`,
  ].filter((problem) => problem !== false);
  const others = [
    mailboxes.failing > 0 && `${counted(mailboxes.failing, "profile")} not syncing`,
    mailboxes.late > 0 && `${counted(mailboxes.late, "profile")} late`,
    deliveries.late > 0 && `${counted(deliveries.late, "delivery", "deliveries")} late`,
    deliveries.failed > 0 && `${counted(deliveries.failed, "delivery", "deliveries")} failed in 48 h`,
    overview.background !== null &&
      backgroundFaults(overview.background, now).length > 0 &&
      "background jobs need attention",
  ].filter((problem) => problem !== false);
  if (urgent.length + others.length === 0) return { tone: "good", line: "Healthy. Nothing needs attention." };
  return { tone: urgent.length > 0 ? "bad" : "wait", line: sentence([...urgent, ...others]) };
}

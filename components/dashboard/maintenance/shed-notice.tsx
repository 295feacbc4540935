import { Until } from "@/components/dashboard/maintenance/until";
import type { SwitchedOn } from "@/server/domain/maintenance";

/** Shows a notice above every page of an application whose requests are refused for maintenance. */
export function ShedNotice({ on, now }: { on: SwitchedOn | null; now: number }) {
  if (!on) return null;
  const { since, endsAt } = on;
  const times = {
    since: new Date(since).toISOString(),
    endsAt: endsAt === null ? null : new Date(endsAt).toISOString(),
  };
  return (
    <p className="mx-6 mb-3 rounded-md border border-amber px-3 py-2 text-13 max-sm:mx-4">
      <span className="font-medium">Requests refused for maintenance</span> <Until {...times} now={now} />. Webhooks,
      syncs and feeds go on.
    </p>
  );
}

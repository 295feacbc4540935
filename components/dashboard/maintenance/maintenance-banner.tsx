import Link from "next/link";
import { Until } from "@/components/dashboard/maintenance/until";
import { MAINTENANCE } from "@/components/dashboard/maintenance/words";
import type { SwitchedOn } from "@/server/domain/maintenance";
import type { Role } from "@/server/services/staff/procedure/staff-context";

interface MaintenanceBannerProps {
  /** Null: the service is not read-only. */
  on: SwitchedOn | null;
  role: Role;
  now: number;
}

/** Shows above every page that the service is read-only. */
export function MaintenanceBanner({ on, role, now }: MaintenanceBannerProps) {
  if (!on) return null;
  const times = { since: isoOf(on.since), endsAt: on.endsAt === null ? null : isoOf(on.endsAt) };
  return (
    <p className="border-b border-amber bg-raised px-6 py-2 text-13 max-sm:px-4">
      <span className="font-medium">Read-only for maintenance</span> <Until {...times} now={now} />. API requests that
      change something are refused.{" "}
      {role !== "developer" && (
        <Link href={MAINTENANCE} prefetch={false} className="underline">
          Maintenance
        </Link>
      )}
    </p>
  );
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}

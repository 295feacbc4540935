import Link from "next/link";
import { AUDIT, ME, OPERATORS } from "@/components/dashboard/operators/links";
import { classes } from "@/components/ui/classes";
import type { Role } from "@/server/services/staff/procedure/staff-context";

const tabs = [
  { name: "Operators", path: OPERATORS, isForAll: false },
  { name: "Audit trail", path: AUDIT, isForAll: false },
  { name: "My account", path: ME, isForAll: true },
];

/** The pages about operators; support has only its own account. */
export function OperatorTabs({ here, role }: { here: string; role: Role }) {
  const shown = tabs.filter(({ isForAll }) => isForAll || role === "admin");
  if (shown.length === 1) return null;
  return (
    <nav aria-label="Operators" className="flex gap-5 border-b px-6 max-sm:px-4">
      {shown.map(({ name, path }) => (
        <Link
          key={path}
          href={path}
          prefetch={false}
          aria-current={path === here ? "page" : undefined}
          className={classes(
            "-mb-px flex h-9 max-sm:h-11 items-center border-b text-13",
            path === here ? "border-accent text-ink" : "border-transparent text-faint hover:text-ink",
          )}
        >
          {name}
        </Link>
      ))}
    </nav>
  );
}

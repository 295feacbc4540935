"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import { Icon } from "@/components/dashboard/shell/icon";
import { navigationItems } from "@/components/dashboard/shell/navigation";
import { classes } from "@/components/ui/classes";
import type { SignedInOperator } from "@/server/services/staff/procedure/staff-context";

/** Shows the pages: in a column on the left, or in a bar at the bottom of a narrow window, which has no place for all. */
export function Sidebar({ role, applications }: Pick<SignedInOperator, "role" | "applications">) {
  const pathname = usePathname();
  const isHere = (path: string) => pathname === path || (path !== "/dashboard" && pathname.startsWith(`${path}/`));
  return (
    <nav
      aria-label="Dashboard"
      className="max-md:fixed max-md:inset-x-0 max-md:bottom-0 max-md:z-20 max-md:border-t max-md:bg-paper"
    >
      <ul className="grid gap-px max-md:flex max-md:justify-between max-md:px-1">
        {navigationItems(role, applications).map(({ name, path, icon, short, isWide }) => (
          <li key={path} className={isWide ? "max-md:hidden" : undefined}>
            <Link
              href={path}
              prefetch={false}
              aria-current={isHere(path) ? "page" : undefined}
              className={classes(
                "flex h-8 items-center gap-2.5 rounded-md px-2 text-13 transition-colors",
                "max-md:h-13 max-md:flex-col max-md:justify-center max-md:gap-1 max-md:px-0 max-md:text-12 max-md:tracking-tight",
                isHere(path)
                  ? "bg-picked font-medium text-ink max-md:bg-transparent max-md:text-accent"
                  : "text-faint hover:bg-hover hover:text-ink",
              )}
            >
              <Icon name={icon} />
              <Name name={name} short={short} />
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Shows a page's name. Seven fit side by side at 380 px if none is long. */
function Name({ name, short }: { name: string; short: string | undefined }) {
  if (short === undefined) return <span className="max-[379px]:sr-only">{name}</span>;
  return (
    <>
      <span className="max-md:hidden">{name}</span>
      <span className="max-[379px]:sr-only md:hidden">{short}</span>
    </>
  );
}

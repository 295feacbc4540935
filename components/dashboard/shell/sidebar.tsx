"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import { Icon } from "@/components/dashboard/shell/icon";
import { navigationItems } from "@/components/dashboard/shell/navigation";
import { classes } from "@/components/ui/classes";

/** The pages: a column at the left, a bar at the bottom of a narrow window. */
export function Sidebar() {
  const pathname = usePathname();
  const isHere = (path: string) => pathname === path || (path !== "/dashboard" && pathname.startsWith(`${path}/`));
  return (
    <nav
      aria-label="Dashboard"
      className="max-md:fixed max-md:inset-x-0 max-md:bottom-0 max-md:z-20 max-md:border-t max-md:bg-paper"
    >
      <ul className="grid gap-px max-md:flex max-md:justify-between max-md:px-1">
        {navigationItems.map(({ name, path, icon }) => (
          <li key={path}>
            <Link
              href={path}
              prefetch={false}
              aria-current={isHere(path) ? "page" : undefined}
              className={classes(
                "flex h-8 items-center gap-2.5 rounded-md px-2 text-13 transition-colors",
                "max-md:h-13 max-md:flex-col max-md:justify-center max-md:gap-1 max-md:px-1 max-md:text-12 max-md:tracking-tight",
                isHere(path)
                  ? "bg-picked font-medium text-ink max-md:bg-transparent max-md:text-accent"
                  : "text-faint hover:bg-hover hover:text-ink",
              )}
            >
              <Icon name={icon} />
              <span className="max-[379px]:sr-only">{name}</span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

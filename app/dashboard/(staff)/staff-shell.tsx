import { cookies } from "next/headers";
import type { ReactNode } from "react";
import { MaintenanceBanner } from "@/components/dashboard/maintenance/maintenance-banner";
import { Shell } from "@/components/dashboard/shell/shell";
import { themeOf } from "@/components/dashboard/shell/theme";
import { shownTimes, TIMES_COOKIE } from "@/components/ui/shown-times";
import { clock } from "@/server/clock";
import { serviceMaintenance } from "@/server/http/staff/maintenance";
import { staffPage } from "@/server/http/staff/page";

/** Renders the frame of every page for a signed-in operator. */
export async function StaffShell({ children }: { children: ReactNode }) {
  const { operator } = await staffPage();
  const jar = await cookies();
  const theme = themeOf(jar.get("almanac_theme")?.value);
  const times = shownTimes(jar.get(TIMES_COOKIE)?.value);
  const { name, email, role, applications } = operator;
  return (
    <Shell operator={{ name, email, role, applications }} theme={theme} times={times}>
      <MaintenanceBanner on={serviceMaintenance()} role={role} now={clock().now()} />
      {children}
    </Shell>
  );
}

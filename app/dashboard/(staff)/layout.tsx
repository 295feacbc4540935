import { cookies } from "next/headers";
import type { ReactNode } from "react";
import { Shell } from "@/components/dashboard/shell";
import { themeOf } from "@/components/dashboard/theme";
import { staffPage } from "@/server/http/staff/page";

export default async function StaffLayout({ children }: { children: ReactNode }) {
  const { operator } = await staffPage();
  const theme = themeOf((await cookies()).get("almanac_theme")?.value);
  const { name, email, role } = operator;
  return (
    <Shell operator={{ name, email, role }} theme={theme}>
      {children}
    </Shell>
  );
}

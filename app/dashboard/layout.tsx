import type { Metadata, Viewport } from "next";
import { cookies } from "next/headers";
import type { ReactNode } from "react";
import { firstFonts, icon } from "@/components/dashboard/page-files";
import { themeOf } from "@/components/dashboard/shell/theme";
import "./dashboard.css";

export const metadata: Metadata = {
  title: { default: "Almanac", template: "%s · Almanac" },
  robots: { index: false },
  icons: { icon },
};
export const viewport: Viewport = { width: "device-width", initialScale: 1, colorScheme: "light dark" };

export default async function DashboardLayout({ children }: { children: ReactNode }) {
  const theme = themeOf((await cookies()).get("almanac_theme")?.value);
  return (
    <html lang="en" data-theme={theme === "system" ? undefined : theme}>
      <head>
        {firstFonts.map((href) => (
          <link key={href} rel="preload" as="font" type="font/woff2" crossOrigin="anonymous" href={href} />
        ))}
      </head>
      <body>{children}</body>
    </html>
  );
}

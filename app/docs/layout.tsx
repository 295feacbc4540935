import type { Metadata, Viewport } from "next";
import type { ReactNode } from "react";
import { firstFonts, icon } from "@/components/dashboard/page-files";
import { navigationGroups } from "@/components/docs/navigation-items";
import { DocsShell } from "@/components/docs/shell";
import { servedDocument } from "@/server/http/openapi/served";
import "./docs.css";

// Each response has a nonce of its own, and the addresses are those of the running service.
export const dynamic = "force-dynamic";
export const metadata: Metadata = {
  title: { default: "Almanac docs", template: "%s · Almanac docs" },
  icons: { icon },
};
export const viewport: Viewport = { width: "device-width", initialScale: 1, colorScheme: "light dark" };

export default function DocsLayout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <head>
        {firstFonts.map((href) => (
          <link key={href} rel="preload" as="font" type="font/woff2" crossOrigin="anonymous" href={href} />
        ))}
      </head>
      <body>
        <DocsShell groups={navigationGroups(servedDocument())}>{children}</DocsShell>
      </body>
    </html>
  );
}

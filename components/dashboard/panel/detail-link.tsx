import Link from "next/link";
import type { ReactNode } from "react";

/** Links from a fact to what explains it. */
export function DetailLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link href={href} prefetch={false} className="text-accent underline-offset-3 hover:underline">
      {children}
    </Link>
  );
}

import Link from "next/link";
import type { ReactNode } from "react";

interface DetailLinkProps {
  href: string;
  /** What the palette calls it, if it offers it for what is open: "Open timeline". */
  action?: string;
  children: ReactNode;
}

/** Links from a fact to what explains it. */
export function DetailLink({ href, action, children }: DetailLinkProps) {
  return (
    <Link href={href} prefetch={false} data-action={action} className="text-accent underline-offset-3 hover:underline">
      {children}
    </Link>
  );
}

import Link from "next/link";
import { EmptyState } from "@/components/ui/notice";

export const metadata = { title: "Page not found" };

export default function NotFound() {
  return (
    <EmptyState title="Page not found" isPage>
      Search the documentation, or start with the{" "}
      <Link href="/docs" prefetch={false} className="text-accent underline underline-offset-3">
        quickstart
      </Link>{" "}
      or the{" "}
      <Link href="/docs/reference" prefetch={false} className="text-accent underline underline-offset-3">
        API overview
      </Link>
      .
    </EmptyState>
  );
}

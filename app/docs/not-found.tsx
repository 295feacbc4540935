import Link from "next/link";
import { EmptyState } from "@/components/ui/notice";

export default function NotFound() {
  return (
    <EmptyState title="This page is not there" isPage>
      Search for it, or begin with the{" "}
      <Link href="/docs" prefetch={false} className="text-accent hover:underline">
        first five minutes
      </Link>{" "}
      or the{" "}
      <Link href="/docs/reference" prefetch={false} className="text-accent hover:underline">
        reference
      </Link>
      .
    </EmptyState>
  );
}

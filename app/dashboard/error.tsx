"use client";

import { PageFault } from "@/components/dashboard/page-fault";

export default function DashboardError({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return <PageFault digest={error.digest} onRetry={reset} />;
}

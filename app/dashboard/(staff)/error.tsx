"use client";

import { PageFault } from "@/components/dashboard/page-fault";

export default function StaffError({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return <PageFault digest={error.digest} onRetry={reset} />;
}

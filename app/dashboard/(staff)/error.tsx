"use client";

import { PageFault } from "@/components/dashboard/page-fault";

export default function StaffError({ error, retry }: { error: Error & { digest?: string }; retry: () => void }) {
  return <PageFault digest={error.digest} onRetry={retry} />;
}

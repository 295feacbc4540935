import type { Metadata } from "next";
import { ReferencePage } from "@/components/docs/reference-page";
import { servedDocument } from "@/server/http/openapi/served";

export const metadata: Metadata = { title: "API overview" };

export default function Page() {
  return <ReferencePage document={servedDocument()} />;
}

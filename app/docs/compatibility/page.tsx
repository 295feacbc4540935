import type { Metadata } from "next";
import { GuidePage } from "@/components/docs/guide-page";
import { compatibilityGuide } from "@/components/docs/guides/compatibility";
import { servedDocument } from "@/server/http/openapi/served";

export const metadata: Metadata = { title: "Compatibility mode" };

export default function Page() {
  return <GuidePage guide={compatibilityGuide(servedDocument())} />;
}

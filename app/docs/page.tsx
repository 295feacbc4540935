import type { Metadata } from "next";
import { GuidePage } from "@/components/docs/guide-page";
import { firstGuide } from "@/components/docs/guides/first";
import { servedDocument } from "@/server/http/openapi/served";

export const metadata: Metadata = { title: "Quickstart" };

export default function Page() {
  return <GuidePage guide={firstGuide(servedDocument())} />;
}

import type { Metadata } from "next";
import { GuidePage } from "@/components/docs/guide-page";
import { firstGuide } from "@/components/docs/guides/first";
import { servedDocument } from "@/server/http/openapi/served";

// The layout's template is for the pages below this one.
export const metadata: Metadata = { title: { absolute: "Quickstart · Almanac docs" } };

export default function Page() {
  return <GuidePage guide={firstGuide(servedDocument())} />;
}

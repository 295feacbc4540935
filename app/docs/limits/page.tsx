import type { Metadata } from "next";
import { GuidePage } from "@/components/docs/guide-page";
import { limitsGuide } from "@/components/docs/guides/limits";
import { Sizes } from "@/components/docs/sizes";
import { servedDocument } from "@/server/http/openapi/served";

export const metadata: Metadata = { title: "Limits" };

export default function Page() {
  const document = servedDocument();
  return <GuidePage guide={limitsGuide(document)} lists={{ sizes: <Sizes document={document} /> }} />;
}

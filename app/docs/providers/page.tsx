import type { Metadata } from "next";
import { GuidePage } from "@/components/docs/guide-page";
import { providersGuide } from "@/components/docs/guides/providers";
import { servedDocument } from "@/server/http/openapi/served";

export const metadata: Metadata = { title: "Providers" };

export default function Page() {
  return <GuidePage guide={providersGuide(servedDocument())} />;
}

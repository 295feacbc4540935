import type { Metadata } from "next";
import { GuidePage } from "@/components/docs/guide-page";
import { productionGuide } from "@/components/docs/guides/production";

export const metadata: Metadata = { title: "Run in production" };

export default function Page() {
  return <GuidePage guide={productionGuide()} />;
}

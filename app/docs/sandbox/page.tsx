import type { Metadata } from "next";
import { GuidePage } from "@/components/docs/guide-page";
import { sandboxGuide } from "@/components/docs/guides/sandbox";

export const metadata: Metadata = { title: "Sandbox" };

export default function Page() {
  return <GuidePage guide={sandboxGuide()} />;
}

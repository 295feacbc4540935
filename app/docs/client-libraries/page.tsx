import type { Metadata } from "next";
import { GuidePage } from "@/components/docs/guide-page";
import { clientLibrariesGuide } from "@/components/docs/guides/client-libraries";
import { Sample, type SampleText } from "@/components/docs/sample";
import { clientCode } from "@/server/http/docs/client-code";

export const metadata: Metadata = { title: "Client libraries" };

export default async function Page() {
  const lists = {
    "typescript code": shown(await clientCode("typescript")),
    "python code": shown(await clientCode("python")),
  };
  return <GuidePage guide={clientLibrariesGuide()} lists={lists} />;
}

function shown(samples: readonly SampleText[]) {
  return samples.map((sample) => <Sample key={sample.name} {...sample} isTall />);
}

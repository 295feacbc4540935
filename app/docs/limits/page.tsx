import type { Metadata } from "next";
import { GuidePage } from "@/components/docs/guide-page";
import { limitsGuide } from "@/components/docs/guides/limits";
import { Rates } from "@/components/docs/rates";
import { Sizes } from "@/components/docs/sizes";
import { servedDocument } from "@/server/http/openapi/served";
import { ACCOUNT, APPLICATION } from "@/server/http/rate-limit/buckets";

export const metadata: Metadata = { title: "Limits" };

export default function Page() {
  const document = servedDocument();
  const lists = {
    rates: <Rates application={APPLICATION} account={ACCOUNT} />,
    sizes: <Sizes document={document} />,
  };
  return <GuidePage guide={limitsGuide(document)} lists={lists} />;
}

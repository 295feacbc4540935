import type { Metadata } from "next";
import { ErrorKeys } from "@/components/docs/error-keys";
import { GuidePage } from "@/components/docs/guide-page";
import { errorsGuide } from "@/components/docs/guides/errors";
import { servedDocument } from "@/server/http/openapi/served";

export const metadata: Metadata = { title: "Errors" };

export default function Page() {
  const document = servedDocument();
  return <GuidePage guide={errorsGuide(document)} lists={{ "error keys": <ErrorKeys document={document} /> }} />;
}

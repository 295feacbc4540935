import type { Metadata } from "next";
import { GuidePage } from "@/components/docs/guide-page";
import { webhooksGuide } from "@/components/docs/guides/webhooks";
import { WebhookCode } from "@/components/docs/webhook-code";
import { webhookCode } from "@/server/http/docs/webhook-code";
import { servedDocument } from "@/server/http/openapi/served";

export const metadata: Metadata = { title: "Webhooks" };

export default async function Page() {
  return (
    <GuidePage
      guide={webhooksGuide(servedDocument())}
      lists={{ "webhook code": <WebhookCode samples={await webhookCode()} /> }}
    />
  );
}

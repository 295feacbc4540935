import type { Guide } from "@/components/docs/guide";
import { clientLibrariesGuide } from "@/components/docs/guides/client-libraries";
import { compatibilityGuide } from "@/components/docs/guides/compatibility";
import { errorsGuide } from "@/components/docs/guides/errors";
import { firstGuide } from "@/components/docs/guides/first";
import { limitsGuide } from "@/components/docs/guides/limits";
import { productionGuide } from "@/components/docs/guides/production";
import { providersGuide } from "@/components/docs/guides/providers";
import { sandboxGuide } from "@/components/docs/guides/sandbox";
import { webhooksGuide } from "@/components/docs/guides/webhooks";
import type { OpenApiDocument } from "@/server/http/openapi/document-shape";

/** The guides in the order of the navigation. */
export function guides(document: OpenApiDocument): Guide[] {
  return [
    firstGuide(document),
    webhooksGuide(document),
    sandboxGuide(),
    errorsGuide(document),
    limitsGuide(document),
    providersGuide(document),
    clientLibrariesGuide(),
    compatibilityGuide(document),
    productionGuide(),
  ];
}

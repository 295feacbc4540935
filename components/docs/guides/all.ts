import type { Guide } from "@/components/docs/guide";
import { compatibilityGuide } from "@/components/docs/guides/compatibility";
import { errorsGuide } from "@/components/docs/guides/errors";
import { firstGuide } from "@/components/docs/guides/first";
import { limitsGuide } from "@/components/docs/guides/limits";
import { providersGuide } from "@/components/docs/guides/providers";
import { webhooksGuide } from "@/components/docs/guides/webhooks";
import type { OpenApiDocument } from "@/server/http/openapi/document-shape";

/** The guides in the order of the navigation. */
export function guides(document: OpenApiDocument): Guide[] {
  return [
    firstGuide(document),
    webhooksGuide(document),
    errorsGuide(document),
    limitsGuide(document),
    providersGuide(document),
    compatibilityGuide(document),
  ];
}

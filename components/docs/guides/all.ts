import type { Guide } from "@/components/docs/guide";
import { authenticationGuide } from "@/components/docs/guides/authentication";
import { clientLibrariesGuide } from "@/components/docs/guides/client-libraries";
import { compatibilityGuide } from "@/components/docs/guides/compatibility";
import { conceptsGuide } from "@/components/docs/guides/concepts";
import { errorsGuide } from "@/components/docs/guides/errors";
import { firstGuide } from "@/components/docs/guides/first";
import { goingLiveGuide } from "@/components/docs/guides/going-live";
import { guestsGuide } from "@/components/docs/guides/guests";
import { limitsGuide } from "@/components/docs/guides/limits";
import { meetingLinksGuide } from "@/components/docs/guides/meeting-links";
import { productionGuide } from "@/components/docs/guides/production";
import { providersGuide } from "@/components/docs/guides/providers";
import { recurrenceGuide } from "@/components/docs/guides/recurrence";
import { sandboxGuide } from "@/components/docs/guides/sandbox";
import { timeZonesGuide } from "@/components/docs/guides/time-zones";
import { webhooksGuide } from "@/components/docs/guides/webhooks";
import type { OpenApiDocument } from "@/server/http/openapi/document-shape";

export interface GuideGroup {
  name: string;
  guides: Guide[];
}

/** The guides by what they are for, in the order of the navigation. */
export function guideGroups(document: OpenApiDocument): GuideGroup[] {
  return [
    {
      name: "Get started",
      guides: [
        firstGuide(document),
        conceptsGuide(document),
        authenticationGuide(document),
        webhooksGuide(document),
        sandboxGuide(document),
        goingLiveGuide(document),
      ],
    },
    {
      name: "Events",
      guides: [
        timeZonesGuide(document),
        recurrenceGuide(document),
        guestsGuide(document),
        meetingLinksGuide(),
        providersGuide(document),
      ],
    },
    { name: "Clients", guides: [clientLibrariesGuide(), compatibilityGuide(document)] },
    { name: "Details", guides: [errorsGuide(document), limitsGuide(document), productionGuide()] },
  ];
}

export function guides(document: OpenApiDocument): Guide[] {
  return guideGroups(document).flatMap((group) => group.guides);
}

import { renderSecondStep } from "@/components/sign-in/second-step";
import { secondStepPageEndpoint } from "@/server/http/staff/second-step-page";

export const dynamic = "force-dynamic";
export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = secondStepPageEndpoint(renderSecondStep);

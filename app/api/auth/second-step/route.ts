import { renderSecondStep } from "@/components/sign-in/second-step";
import { secondStepEndpoint } from "@/server/http/staff/second-step-endpoint";

export const dynamic = "force-dynamic";
export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = secondStepEndpoint(renderSecondStep);

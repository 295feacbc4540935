import { renderInvitation } from "@/components/sign-in/invitation";
import { invitationPageEndpoint } from "@/server/http/staff/invitation-page";

export const dynamic = "force-dynamic";
export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = invitationPageEndpoint(renderInvitation);

import { renderInvitation } from "@/components/sign-in/invitation";
import { invitationEndpoint } from "@/server/http/staff/invitation-endpoint";

export const dynamic = "force-dynamic";
export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = invitationEndpoint(renderInvitation);

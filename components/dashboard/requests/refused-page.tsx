import type { ReactNode } from "react";
import { Fact } from "@/components/ui/facts";
import type { RequestDetail } from "@/server/services/staff/requests/shapes";

/** Why the connect page was refused or ended, for errors that its HTML does not explain to staff. */
const reasons: Record<string, string> = {
  invalid_client: "The client_id is unknown.",
  invalid_link_token: "The link token is unknown, used or expired.",
  already_connected: "The calendar account is already connected to another account of the application.",
  page_expired: "The page was open for over 30 minutes, or its cookie was missing.",
  unsupported_response_type: "response_type must be code.",
  invalid_scope: "The scope is malformed or unknown.",
  invalid_request: "A parameter was sent twice, the code challenge is malformed, or the form could not be read.",
};

/** Explains a refused connect page. Renders nothing for any other request. */
export function RefusedPage({ request }: { request: RequestDetail }) {
  if (request.path !== "/oauth/authorize") return null;
  if (request.redirect) return <Mismatch request={request} {...request.redirect} />;
  const reason = request.errorKeys.map((key) => reasons[key]).find((sentence) => sentence !== undefined);
  return reason ? <Fact name="Reason">{reason}</Fact> : null;
}

interface MismatchProps {
  request: RequestDetail;
  sent: string | null;
  registered: string[];
}

function Mismatch({ request, sent, registered }: MismatchProps) {
  const application = request.applicationName ?? request.applicationId;
  return (
    <>
      <Fact name="Reason">
        {sent === null ? (
          "The request has no redirect_uri."
        ) : (
          <>
            redirect_uri <Uri>{sent}</Uri> is not registered for {application}.
          </>
        )}
      </Fact>
      <Fact name="Registered">
        {registered.length === 0 && <span className="text-faint">No redirect URI</span>}
        {registered.map((uri) => (
          <span key={uri} className="block">
            <Uri>{uri}</Uri>
          </span>
        ))}
      </Fact>
    </>
  );
}

function Uri({ children }: { children: ReactNode }) {
  return <span className="font-mono text-12">{children}</span>;
}

import { Code, HeaderLines, Json } from "@/components/ui/code";
import { formatCount } from "@/components/ui/number";
import type { StoredBody } from "@/server/services/staff/requests/shapes";

interface MessageProps {
  /** "Request" or "Response". */
  name: string;
  headers: Record<string, string>;
  body: StoredBody;
}

/** Headers that browsers, proxies and Next add say nothing about the request. */
const NOISE = /^(?:sec-|x-forwarded-(?:for|host|port|proto)$)/;

/** Shows headers and body as logged: tokens, credentials and event text are redacted. */
export function Message({ name, headers, body }: MessageProps) {
  const shown = Object.entries(headers).filter(([header]) => !NOISE.test(header));
  const lines = shown.map(([header, value]) => ({ name: header, value: String(value) }));
  const cut = cutOf(body);
  return (
    <div className="grid gap-2">
      {lines.length > 0 && <HeaderLines name={`${name} headers`} headers={lines} />}
      <Body name={`${name} body`} body={cut ? cut.kept : body} isCut={cut !== null} />
      {cut && (
        <p className="text-12 text-faint">
          Truncated{cut.bytes !== null && `: the body had ${formatCount(cut.bytes)} bytes`}.
          {cut.kept !== null && " Only the beginning is stored."}
        </p>
      )}
    </div>
  );
}

function Body({ name, body, isCut }: { name: string; body: StoredBody; isCut: boolean }) {
  if (body === null) return isCut ? null : <p className="text-13 text-faint">No JSON body.</p>;
  if (typeof body === "string") return <Code name={name} text={body} />;
  return <Json name={name} value={body} />;
}

/** Recognises a body that was too long for the log (server/http/redaction/redact.ts). */
function cutOf(body: StoredBody): { bytes: number | null; kept: StoredBody } | null {
  if (typeof body !== "object" || body === null || Array.isArray(body) || body.truncated !== true) return null;
  return { bytes: typeof body.bytes === "number" ? body.bytes : null, kept: body.body ?? null };
}

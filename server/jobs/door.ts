import { background } from "@/server/jobs/background";

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"] as const;
type Handler = (request: Request) => Promise<Response>;

/**
 * The exports of /api/inngest. While the executor of this process drives the functions the path does not exist for anybody; an
 * Inngest server's calls go to the SDK, which refuses those without its signature.
 */
export function inngestDoor(): Record<(typeof methods)[number], Handler> {
  const answer: Handler = async (request) => {
    const { kind, handler } = background();
    const isServed = request.method === "POST" || request.method === "PUT";
    if (kind === "embedded" || !isServed) return new Response(null, { status: 404 });
    return await handler(request);
  };
  return Object.fromEntries(methods.map((name) => [name, answer])) as Record<(typeof methods)[number], Handler>;
}

import { graphqlResponse } from "@/server/graphql/respond";
import { endpoint } from "@/server/http/endpoint";
import { loggable } from "@/server/http/redaction/secrets";
import { GRAPHIQL, signInLink } from "@/server/http/staff/return-path";
import { sameOrigin, staffOf } from "@/server/http/staff/staff-request";
import { whenBusy } from "@/server/http/when-busy";

export const dynamic = "force-dynamic";
export const { PUT, PATCH, DELETE, HEAD, OPTIONS } = endpoint([], "GET, POST");

const respond = (request: Request) =>
  whenBusy(() =>
    graphqlResponse(request, {
      isOurs: sameOrigin(request),
      staff: () => staffOf(request),
      signInPath: signInLink(GRAPHIQL),
      loggable,
    }),
  );

export const GET = respond;
export const POST = respond;

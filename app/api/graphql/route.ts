import { graphqlAnswer } from "@/server/graphql/answer";
import { endpoint } from "@/server/http/endpoint";
import { loggable } from "@/server/http/redact-secrets";
import { GRAPHIQL, signInLink } from "@/server/http/staff/return-path";
import { sameOrigin, staffOf } from "@/server/http/staff/staff-request";
import { whenBusy } from "@/server/http/when-busy";

export const dynamic = "force-dynamic";
export const { PUT, PATCH, DELETE, HEAD, OPTIONS } = endpoint([], "GET, POST");

const answer = (request: Request) =>
  whenBusy(() =>
    graphqlAnswer(request, {
      isOurs: sameOrigin(request),
      staff: () => staffOf(request),
      signInPath: signInLink(GRAPHIQL),
      loggable,
    }),
  );

export const GET = answer;
export const POST = answer;

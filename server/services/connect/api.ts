import { readLogo } from "@/server/services/connect/logo";
import { beginOAuthSignIn, finishOAuthSignIn } from "@/server/services/connect/oauth-sign-in";
import { openConnectPage, resumeConnectPage } from "@/server/services/connect/open";
import { signInAndConnect } from "@/server/services/connect/sign-in-and-connect";
import { connectRouter, createConnectCaller } from "@/server/services/connect/trpc";

/** The queries and actions of the connect page, one procedure for each step. */
const connectApi = connectRouter({
  open: openConnectPage,
  resume: resumeConnectPage,
  signIn: signInAndConnect,
  beginOAuth: beginOAuthSignIn,
  finishOAuth: finishOAuthSignIn,
  logo: readLogo,
});

export const connectCaller = createConnectCaller(connectApi);

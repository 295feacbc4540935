import { readLogo } from "@/server/services/connect/logo";
import { beginOAuthSignIn, finishOAuthSignIn } from "@/server/services/connect/oauth-sign-in";
import { openConnectPage } from "@/server/services/connect/open";
import { resumeConnectPage } from "@/server/services/connect/resume";
import { signInAndConnect } from "@/server/services/connect/sign-in-and-connect";
import { connectRouter, createConnectCaller } from "@/server/services/connect/trpc";

/** What the connect page reads and does, one procedure a step. */
const connectApi = connectRouter({
  open: openConnectPage,
  resume: resumeConnectPage,
  signIn: signInAndConnect,
  beginOAuth: beginOAuthSignIn,
  finishOAuth: finishOAuthSignIn,
  logo: readLogo,
});

export const connectCaller = createConnectCaller(connectApi);

import { db } from "@/server/db/client";
import { refuseShed } from "@/server/http/caller";
import { browserCookie } from "@/server/http/connect/browser";
import type { Exchange } from "@/server/http/exchange";
import { connectCaller } from "@/server/services/connect/api";
import type { AskingApplication } from "@/server/services/connect/request";

/** Returns the procedures of the connect page for the browser that asks, and the header that sets its cookie. */
export function connectApiFor({ request, now }: Exchange) {
  const { value, header } = browserCookie(request);
  return { api: connectCaller({ db: db(), now, browser: value }), setCookie: header };
}

export type ConnectCaller = ReturnType<typeof connectApiFor>["api"];

/** Notes for the request log which application a request belongs to. Throws `maintenance` while staff have its requests refused. */
export function noteApplication(exchange: Exchange, { application }: { application: AskingApplication | null }): void {
  if (!application) return;
  exchange.applicationId = application.id;
  exchange.plan = application.plan;
  refuseShed(application.id, exchange.now);
}

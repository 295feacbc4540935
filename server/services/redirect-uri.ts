import { isRedirectUri, REDIRECT_URI_RULE } from "@/server/domain/redirect-uri";
import { MAX_REDIRECT_URI } from "@/server/domain/text-limits";
import { refused, text } from "@/server/services/fields";

/** A redirect URI that an application may register. */
export const redirectUri = text({ min: 1, max: MAX_REDIRECT_URI }).check(({ value, issues }) => {
  if (value !== "" && !isRedirectUri(value)) issues.push(refused(value, { key: "errors.invalid" }, REDIRECT_URI_RULE));
});

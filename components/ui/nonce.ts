declare global {
  /** Where libraries that add a style element look for the page's nonce. */
  var __webpack_nonce__: string | undefined;
}

/** Shares the nonce of this page's own scripts (page-policy.ts) with what they load. */
export function shareNonce(): void {
  if (typeof document === "undefined") return;
  globalThis.__webpack_nonce__ ??= document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce;
}

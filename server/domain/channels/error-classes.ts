/**
 * Why an attempt got no response. `dns`: no address by then; `http`: bytes that are no valid HTTP response; `internal`: a fault of this
 * service.
 */
export const errorClasses = ["dns", "connect", "tls", "timeout", "blocked", "reset", "http", "internal"] as const;

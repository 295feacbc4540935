/**
 * Why an attempt got no response. `dns`: no address in time. `http`: invalid HTTP. `internal`: an error of this
 * service.
 */
export const errorClasses = ["dns", "connect", "tls", "timeout", "blocked", "reset", "http", "internal"] as const;

/** What `onResponse` gets: for logs and metrics. It holds no token and no text of an event. */
export interface ResponseInfo {
  method: string;
  path: string;
  status: number;
  requestId: string | undefined;
  /** 1 for the first attempt. */
  attempt: number;
}

export interface Settings {
  /** Without a slash at the end. */
  baseUrl: string;
  fetch: typeof globalThis.fetch;
  timeoutMs: number;
  maxRetries: number;
  maxRetryAfterMs: number;
  onResponse: ((info: ResponseInfo) => void) | undefined;
  now: () => number;
  sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  random: () => number;
}

/** Resolves after the time, or rejects with the signal's reason. */
export function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const end = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", end);
      resolve();
    }, milliseconds);
    signal?.addEventListener("abort", end, { once: true });
  });
}

/** What endpoints read of a request: a web Request is one, and what the front door makes of Node's costs less. */
export interface ApiRequest {
  readonly method: string;
  /** Its origin says nothing. */
  readonly url: string;
  readonly headers: { get(name: string): string | null } & Iterable<[string, string]>;
  /** Null: there is none. */
  readonly body: ByteStream | null;
  readonly bodyUsed: boolean;
  /** Aborted when the client has left. Looked at only where something waits: made when it is first asked for. */
  readonly signal: AbortSignal;
}

/** A body, to be read once. */
export interface ByteStream {
  getReader(): {
    read(): Promise<{ done: false; value: Uint8Array } | { done: true; value?: Uint8Array | undefined }>;
    cancel(): Promise<void>;
  };
  cancel(): Promise<void>;
}

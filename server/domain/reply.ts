/** A procedure's result with headers that its route declares. */
export class Reply {
  constructor(
    readonly body: unknown,
    readonly headers: ReplyHeaders,
  ) {}
}

interface ReplyHeaders {
  /** A strong entity tag, with its quotation marks. */
  etag?: string;
  location?: string;
}

import { Agent, type ClientRequest, request as httpRequest, type IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { EgressFailure, type ErrorClass } from "@/server/egress/failure";

const HEADER_BYTES = 16 * 1024;
const MOST_HEADERS = 256;
const MOST_INTERIM_ANSWERS = 16;

export interface Exchange {
  socket: Socket;
  address: string;
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | Buffer | undefined;
  /** Bytes of the response body after which the connection is closed. */
  readBytes: number;
  /** Bytes of it that are returned. */
  keepBytes: number;
  signal: AbortSignal;
  /** Returns the consumer of a response body by status. Null or omitted: the body is kept and returned. */
  takerOf?: (status: number) => Taker | null;
  /** Pauses the deadline until the returned function is called. */
  hold: () => () => void;
  /** Called when the response has been read completely and the connection can carry another request. */
  onFree: () => void;
}

/** Consumes a body piece by piece: nothing arrives while it is busy, and nothing more after it fails. */
export type Taker = (piece: Buffer) => Promise<void> | undefined;

export interface Answer {
  status: number;
  headers: Record<string, string | string[]>;
  /** The body that was kept. Empty if a consumer took it. */
  body: Buffer;
  /** Bytes received. */
  bytes: number;
}

/**
 * Sends one request on a connected socket and reads its response. Once the headers are complete there is a response,
 * whatever happens to the body: it is read until its end, the limit, the signal or an error. Throws `timeout`, `reset`,
 * `tls` or `http`.
 */
export function exchange(asked: Exchange): Promise<Answer> {
  const { socket, address, signal } = asked;
  return new Promise((done, failed) => {
    const sent = httpRequest({
      agent: carrier,
      createConnection: () => socket,
      method: asked.method,
      path: asked.path,
      headers: asked.headers,
      maxHeaderSize: HEADER_BYTES,
    });
    let answered = false;
    const fail = (errorClass: ErrorClass) => {
      // An error after the headers ends the body: readBody sees the connection close.
      if (answered) return socket.destroy();
      signal.removeEventListener("abort", abort);
      sent.destroy();
      socket.destroy();
      failed(new EgressFailure(errorClass, address));
    };
    const abort = () => fail("timeout");
    signal.addEventListener("abort", abort, { once: true });
    sent.maxHeadersCount = 0;
    sent.on("error", (error: NodeJS.ErrnoException) => fail(classOf(error)));
    sent.once("upgrade", () => fail("http"));
    onManyInterim(sent, () => fail("http"));
    sent.once("response", (answer) => {
      if (answer.rawHeaders.length > 2 * MOST_HEADERS || (answer.statusCode ?? 0) < 200) return fail("http");
      answered = true;
      signal.removeEventListener("abort", abort);
      readBody(asked, answer).then(done);
    });
    socket.once("free", asked.onFree);
    sent.end(asked.body);
  });
}

/** Gives a request its own checked socket, and keeps it open if both sides agree. */
const carrier = Object.assign(new Agent({ keepAlive: true }), {
  addRequest: (sent: ClientRequest, options: { createConnection: () => Socket }) =>
    sent.onSocket(options.createConnection()),
});

function onManyInterim(sent: ClientRequest, tooMany: () => void): void {
  let interim = 0;
  sent.on("information", () => {
    interim += 1;
    if (interim > MOST_INTERIM_ANSWERS) tooMany();
  });
}

function classOf({ code }: NodeJS.ErrnoException): ErrorClass {
  if (code?.startsWith("HPE_")) return "http";
  return code?.startsWith("ERR_SSL_") || code === "EPROTO" ? "tls" : "reset";
}

function readBody(asked: Exchange, answer: IncomingMessage): Promise<Answer> {
  const { socket, readBytes, keepBytes, signal } = asked;
  const taker = asked.takerOf?.(answer.statusCode ?? 0) ?? null;
  const pieces: Buffer[] = [];
  // A body that will be cut anyway is read only as far as it is kept.
  const enough = Number(answer.headers["content-length"]) > readBytes ? keepBytes : readBytes;
  let read = 0;
  return new Promise((done) => {
    answer.on("data", (piece: Buffer) => {
      if (!taker && read < keepBytes) pieces.push(piece.subarray(0, keepBytes - read));
      read += piece.length;
      if (read >= enough) cut();
      else if (taker) wait(taker(piece));
    });
    answer.on("error", () => undefined);
    answer.once("end", finish);
    answer.once("close", finish);
    signal.addEventListener("abort", cut, { once: true });
    if (signal.aborted) cut();

    function wait(busy: Promise<void> | undefined) {
      if (!busy) return;
      answer.pause();
      const goOn = asked.hold();
      busy.then(() => answer.resume(), cut).finally(goOn);
    }

    function cut() {
      finish();
      socket.destroy();
    }

    function finish() {
      signal.removeEventListener("abort", cut);
      done({ status: answer.statusCode ?? 0, headers: headersOf(answer), body: Buffer.concat(pieces), bytes: read });
    }
  });
}

function headersOf(answer: IncomingMessage): Record<string, string | string[]> {
  const sent = Object.entries(answer.headers).filter(
    (pair): pair is [string, string | string[]] => pair[1] !== undefined,
  );
  return Object.fromEntries(sent);
}

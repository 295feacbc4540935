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
  /** Bytes of the answer's body after which the connection is closed. */
  readBytes: number;
  /** Bytes of it that are given back. */
  keepBytes: number;
  signal: AbortSignal;
  /** Who takes the body of an answer of a status while it comes; null or omitted: it is kept and returned. */
  takerOf?: (status: number) => Taker | null;
  /** Stops the time until what it gives is called. */
  hold: () => () => void;
  /** Called when the answer has been read to its end and the connection can carry another request. */
  onFree: () => void;
}

/** Takes a body piece by piece: nothing comes while it is busy, and nothing more when that ends in an error. */
export type Taker = (piece: Buffer) => Promise<void> | undefined;

export interface Answer {
  status: number;
  headers: Record<string, string | string[]>;
  /** What was kept; empty when it was taken. */
  body: Buffer;
  /** How many came. */
  bytes: number;
}

/**
 * One request and its answer on a connected socket. From the end of the headers on there is an answer, whatever happens
 * to the body: it is read until its end, the limit, the signal or a fault. Throws `timeout`, `reset`, `tls` or `http`.
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
      // A fault after the headers ends the body: readBody sees the connection close.
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

/** Gives a request its own checked socket, and leaves it open when both sides want to keep it. */
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
  // One that will be cut anyway is read no further than it is kept.
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

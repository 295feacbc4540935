import { connect, type Socket } from "node:net";
import { connect as connectTls, createSecureContext, type SecureContext, type TLSSocket } from "node:tls";
import { isPublicAddress } from "@/server/domain/net/public-address";
import { deadline } from "@/server/egress/deadline";
import { EgressFailure } from "@/server/egress/failure";
import type { EgressTarget } from "@/server/egress/target";

/** Begins a connection to an address. */
export type Dial = (address: string, port: number) => Socket;

export interface Dialling {
  target: EgressTarget;
  /** Already checked, in the order to try them. */
  addresses: readonly string[];
  dial: Dial;
  /** Trusted instead of the machine's certificate authorities, PEM. */
  ca: string | undefined;
  /** Milliseconds until the deadline. */
  left: () => number;
  signal: AbortSignal;
}

/**
 * Opens a socket to the first address that accepts, with TLS verified for the target's host. Checks the connected
 * address again before a byte is written. Throws `connect`, `tls`, `blocked` or `timeout`.
 */
export async function openSocket(dialling: Dialling): Promise<{ socket: Socket; address: string }> {
  const { target, addresses, signal } = dialling;
  let last = new EgressFailure("connect");
  for (const [index, address] of addresses.entries()) {
    const share = dialling.left() / (addresses.length - index);
    const socket = await connected(dialling, address, share).catch((failure: EgressFailure) => {
      last = failure;
    });
    if (socket) return { socket: target.secure ? await secured(dialling, socket, address) : socket, address };
    if (signal.aborted || last.errorClass === "blocked") break;
  }
  throw last;
}

export function dialAddress(address: string, port: number): Socket {
  const callback = (bytes: number): boolean => socket.push(Buffer.from(readBuffer.subarray(0, bytes)));
  const socket: Socket = connect({ host: address, port, noDelay: true, onread: { buffer: readBuffer, callback } });
  return socket;
}

/**
 * The buffer that every connection reads into, and copies from at once. By default sockets would take 64 KiB for each
 * read, and receivers that all send at once would fill them.
 */
const readBuffer = Buffer.allocUnsafeSlow(16 * 1024);

function connected({ target, dial, signal }: Dialling, address: string, share: number): Promise<Socket> {
  return new Promise((done, failed) => {
    const socket = dial(address, target.port);
    // For the whole life of the socket: an error on an idle one must not end the process.
    socket.on("error", () => fail("connect"));
    const timer = deadline(share, () => fail("timeout"));
    const abort = () => fail("timeout");
    signal.addEventListener("abort", abort, { once: true });
    socket.once("connect", () => {
      release();
      const remote = socket.remoteAddress;
      if (remote === undefined) return fail("connect");
      if (!target.trusted && !isPublicAddress(remote)) return fail("blocked", remote);
      done(socket);
    });

    function release() {
      timer.cancel();
      signal.removeEventListener("abort", abort);
    }

    function fail(errorClass: "connect" | "timeout" | "blocked", at = address) {
      release();
      socket.destroy();
      failed(new EgressFailure(errorClass, at));
    }
  });
}

function secured({ target, ca, signal }: Dialling, socket: Socket, address: string): Promise<TLSSocket> {
  return new Promise((done, failed) => {
    const secure = connectTls({
      socket,
      host: target.host,
      servername: target.literal ? "" : target.host.replace(/\.$/, ""),
      rejectUnauthorized: true,
      ALPNProtocols: ["http/1.1"],
      secureContext: ca === undefined ? machineContext() : createSecureContext({ ca }),
    });
    const fail = (errorClass: "tls" | "timeout") => {
      signal.removeEventListener("abort", abort);
      secure.destroy();
      socket.destroy();
      failed(new EgressFailure(errorClass, address));
    };
    const abort = () => fail("timeout");
    signal.addEventListener("abort", abort, { once: true });
    secure.on("error", () => fail("tls"));
    secure.once("close", () => fail("tls"));
    secure.once("secureConnect", () => {
      signal.removeEventListener("abort", abort);
      done(secure);
    });
  });
}

let context: SecureContext | undefined;

/** Creates the TLS context once: reading the machine's certificate authorities for every connection is slow. */
function machineContext(): SecureContext {
  context ??= createSecureContext();
  return context;
}

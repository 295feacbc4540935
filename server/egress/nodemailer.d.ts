/** The part that is used: the package's own types need an SDK of a cloud. */
declare module "nodemailer" {
  interface TransportOptions {
    url: string;
    connectionTimeout: number;
    greetingTimeout: number;
    socketTimeout: number;
    disableFileAccess: boolean;
    disableUrlAccess: boolean;
  }

  interface Message {
    from: string | undefined;
    to: string[];
    subject: string;
    text: string;
    messageId: string;
    headers: Record<string, string>;
  }

  interface Transport {
    sendMail(message: Message): Promise<unknown>;
    verify(): Promise<unknown>;
    close(): void;
  }

  export function createTransport(options: TransportOptions): Transport;
}

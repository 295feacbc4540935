/** As far as the tests use it: it comes without types. */
declare module "cronofy" {
  export default class Cronofy {
    constructor(config: { client_id: string; client_secret: string; access_token?: string });
    urls: { api: string };
    hmacValid(options: { hmac: string; body: string }): boolean;
    availability(options: object): Promise<unknown>;
    batch(options: object): Promise<{ batch: { status: number }[] }>;
    authorizeWithServiceAccount(options: object): Promise<unknown>;
    bulkDeleteEvents(options: object): Promise<unknown>;
  }
}

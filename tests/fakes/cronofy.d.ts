/** As far as the tests use it: it comes without types. */
declare module "cronofy" {
  export default class Cronofy {
    constructor(config: { client_id: string; client_secret: string });
    hmacValid(options: { hmac: string; body: string }): boolean;
  }
}

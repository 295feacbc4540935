import type { AccountRequest } from "./account-request.js";
import type { BookingRequest, BookingResponse } from "./generated/openapi.js";
import type { RequestOptions } from "./transport.js";

/** Events that are written only if everyone is free: of an application for any of its accounts, of an account for itself. */
export class Bookings {
  readonly #request: AccountRequest;

  constructor(request: AccountRequest) {
    this.#request = request;
  }

  /**
   * Books the time, or holds it with `hold_seconds`. Sent again, it gives the same booking. Throws a ConflictError if
   * someone is not free, and an UnreachableError if a provider can't be reached.
   */
  async book(booking: BookingRequest, options?: RequestOptions): Promise<BookingResponse> {
    const request = { method: "POST", path: "/v1/bookings", body: booking, isRepeatable: true } as const;
    return await this.#request<BookingResponse>(request, options);
  }

  async get(bookingId: string, options?: RequestOptions): Promise<BookingResponse> {
    return await this.#request<BookingResponse>(
      { method: "GET", path: pathOf(bookingId), isRepeatable: true },
      options,
    );
  }

  /**
   * Writes the event of a hold, if its time is still free. Throws a ConflictError if it is not, or the hold has expired,
   * and an UnreachableError if a provider can't be reached.
   */
  async confirm(bookingId: string, options?: RequestOptions): Promise<BookingResponse> {
    const request = { method: "POST", path: `${pathOf(bookingId)}/confirm`, isRepeatable: true } as const;
    return await this.#request<BookingResponse>(request, options);
  }

  /** Frees the time. If it was booked, its event is deleted and the guests are notified. */
  async cancel(bookingId: string, options?: RequestOptions): Promise<void> {
    // Sent twice, the second finds no booking.
    await this.#request({ method: "DELETE", path: pathOf(bookingId), isRepeatable: false }, options);
  }
}

function pathOf(bookingId: string): string {
  return `/v1/bookings/${encodeURIComponent(bookingId)}`;
}

interface ShortAddress {
  params: Promise<{ id: string }>;
}

/**
 * Builds a route that hands a short address on to the list: what the address names is shown in a panel, which has its
 * own address in the list's.
 */
export function opensIn(list: string): { GET(request: Request, address: ShortAddress): Promise<Response> } {
  return {
    async GET(_request, { params }) {
      const open = new URLSearchParams({ open: (await params).id });
      return new Response(null, { status: 307, headers: { location: `${list}?${open}` } });
    },
  };
}

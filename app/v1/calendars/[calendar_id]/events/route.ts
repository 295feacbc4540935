import { endpoint } from "@/server/http/endpoint";
import { deleteEvent, writeEvent } from "@/server/http/routes/writing";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = endpoint([writeEvent, deleteEvent]);

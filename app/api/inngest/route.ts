import { inngestDoor } from "@/server/jobs/door";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = inngestDoor();

import { readBranding, removeLogo, setBranding, setLogo } from "@/server/services/staff/applications/branding";
import { addCaldavServer, removeCaldavServer } from "@/server/services/staff/applications/caldav-servers";
import { headApplication } from "@/server/services/staff/applications/head";
import { getApplication, listApplications, nameApplications } from "@/server/services/staff/applications/read";
import { addSecret, retireSecret } from "@/server/services/staff/applications/secrets";
import { deleteApplication, disableApplication, enableApplication } from "@/server/services/staff/applications/states";
import {
  addRedirectUri,
  createApplication,
  removeRedirectUri,
  updateApplication,
} from "@/server/services/staff/applications/write";
import { staffRouter } from "@/server/services/staff/procedure/trpc";

/** The customers' applications. */
export const applicationsRouter = staffRouter({
  names: nameApplications,
  list: listApplications,
  get: getApplication,
  head: headApplication,
  create: createApplication,
  update: updateApplication,
  addRedirectUri,
  removeRedirectUri,
  addCaldavServer,
  removeCaldavServer,
  addSecret,
  retireSecret,
  branding: readBranding,
  setBranding,
  setLogo,
  removeLogo,
  disable: disableApplication,
  enable: enableApplication,
  delete: deleteApplication,
});

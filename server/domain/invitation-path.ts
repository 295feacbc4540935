/** The page where an invitation is accepted; its query carries the token. */
export const INVITATION_PATH = "/dashboard/invitation";

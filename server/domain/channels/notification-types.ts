/** Every type of notification, with when it is sent as the documentation puts it. */
export const notificationTypes = {
  verification: "you create the channel",
  change: "something changed in the account's calendars, including guests' replies; read changes since `changes_since`",
  profile_disconnected: "the user must reconnect a calendar account",
  profile_initial_sync_completed: "the first sync of a new calendar account is complete",
  trigger: "a trigger is due",
  write_refused: "a provider rejected an event that your application wrote; only if you turned this on for the channel",
} as const;

export type NotificationType = keyof typeof notificationTypes;

export const notificationTypeNames = Object.keys(notificationTypes) as NotificationType[];

/**
 * Returns SQL for the name of the account `a`: its email, or for an application calendar the application's name for it.
 * Empty: it has none.
 */
export const accountName = (a: string) => `coalesce(${a}.application_calendar_id, nullif(${a}.email, ''), ${a}.name)`;

/** Where a provider sends the browser back to once an account's owner consented; registered there, so never renamed. */
export const returnPaths = {
  gmail: '/gmail/callbackUrlBack',
  microsoft: '/microsoft/callbackUrlBack',
  googleCalendar: '/google-calendar/callback',
} as const

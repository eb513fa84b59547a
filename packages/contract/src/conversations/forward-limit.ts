/** So many messages, to so many contacts, are forwarded at once. */
export const mostForwarded = 20

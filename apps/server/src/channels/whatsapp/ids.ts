import { createHash } from 'node:crypto'

/** As WhatsApp's own web page names its messages, from our id: the same each time, so that twice sent is one message. */
export const providerIdOf = (messageId: string): string =>
  `3EB0${createHash('sha256').update(messageId).digest('hex').slice(0, 18).toUpperCase()}`

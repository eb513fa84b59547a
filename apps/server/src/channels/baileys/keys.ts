/** What names a message at WhatsApp; whichever of its two addresses the conversation goes by. */
export type MessageKey = {
  id?: string | null
  fromMe?: boolean | null
  remoteJid?: string | null
  participant?: string | null
}

/** The journal's key of a message: the same told live, late or as our own echo. */
export const messageKeyOf = ({ id, fromMe }: MessageKey): string => `message:${fromMe ? 'ours' : 'theirs'}:${id}`
export const keysOfId = (id: string): [string, string] => [
  messageKeyOf({ id, fromMe: false }),
  messageKeyOf({ id, fromMe: true }),
]

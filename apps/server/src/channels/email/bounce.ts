import type { Email } from 'postal-mime'
import { z } from 'zod'

/** A report that a message of ours was not delivered (RFC 3464). */
export const bounce = z.object({
  /** The message it is about, by its id. */
  of: z.string(),
  error: z.string(),
  /** The address does not exist. */
  isUnreachable: z.boolean(),
})
export type Bounce = z.output<typeof bounce>

/** What a delivery report says of a message of ours; one that is only late is no bounce. */
export const bounceOf = ({ attachments }: Email): Bounce | undefined => {
  const read = (mime: RegExp) => {
    const part = attachments.find(({ mimeType }) => mime.test(mimeType))
    return part && textOf(part.content).slice(0, 64 * 1024)
  }
  const report = read(/^message\/(global-)?delivery-status$/)
  const original = read(/^(message\/(rfc822|global)|text\/(rfc822|global)-headers)$/)
  const of = original && /^message-id:\s*(<[^<>\s]{1,300}>)/im.exec(original)?.[1]
  if (!report || !of || !/^action:\s*failed\b/im.test(report)) return undefined
  const status = /^status:\s*(\d\.\d{1,3}\.\d{1,3})/im.exec(report)?.[1] ?? ''
  const who = /^final-recipient:[^;\n]*;\s*([^\s<>]{3,254})/im.exec(report)?.[1] ?? ''
  const reason = /^diagnostic-code:[^;\n]*;\s*(.{1,300})/im.exec(report)?.[1]?.trim() ?? status
  const to = /^to:.*(?:\r?\n[ \t].*)*/im.exec(original)?.[0].toLowerCase() ?? ''
  const isCopy = who !== '' && !to.includes(who.toLowerCase())
  const what = isCopy ? `A cópia para ${who} não foi entregue` : `O e-mail não foi entregue${who && ` a ${who}`}`
  return { of, error: `${what}: ${reason}`, isUnreachable: !isCopy && /^5\.1\.(1|10)$/.test(status) }
}

const textOf = (content: ArrayBuffer | Uint8Array | string) =>
  typeof content === 'string' ? content : Buffer.from(content as Uint8Array).toString('utf8')

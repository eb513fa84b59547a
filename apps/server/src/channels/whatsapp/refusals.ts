import { ChannelError } from '../adapter.ts'
import { unclear } from '../http-errors.ts'
import { mayNotWriteFirst, notOnWhatsApp } from './disconnects.ts'

/** What WhatsApp refused, by the words every library passes on; undefined when they are none we know. */
export const refusalIn = (words: string, isHarmless: boolean): ChannelError | undefined =>
  rules.find(([pattern]) => pattern.test(words))?.[1](isHarmless)

const rules: [RegExp, (isHarmless: boolean) => ChannelError][] = [
  [/"exists":false|not (registered )?on whatsapp|no LID found/i, notOnWhatsApp],
  [
    /connection closed|not connected|precondition required|no session|not logged in|disconnected/i,
    () => new ChannelError('retry', 'O WhatsApp deste canal está reconectando.'),
  ],
  [/\b463\b|restricted|reach.?out/i, mayNotWriteFirst],
  [
    /rate-overlimit|too many/i,
    () => new ChannelError('retry', 'O WhatsApp pediu para esperar.', { retryAfterMs: 30_000 }),
  ],
  [
    /timed out|timeout/i,
    (isHarmless) =>
      isHarmless
        ? new ChannelError('retry', 'O WhatsApp não respondeu.')
        : unclear('O WhatsApp não confirmou o envio.'),
  ],
  [
    /group not found|item-not-found|not a group/i,
    () => new ChannelError('final', 'Este grupo não existe mais, ou o canal saiu dele.', { isUnreachable: true }),
  ],
  [/not-authorized|forbidden/i, () => new ChannelError('final', 'O WhatsApp não permite isto nesta conversa.')],
  [
    /message not found|older than|not compatible|fifteen minutes|15 minutes/i,
    () => new ChannelError('final', 'O WhatsApp não deixa mais alterar esta mensagem.'),
  ],
]

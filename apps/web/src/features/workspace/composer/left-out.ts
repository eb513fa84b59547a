import { withoutMarks } from '@balcao/contract/conversations/user-text.ts'
import { plural } from '../../../kit/format.ts'
import type { Abilities } from '../../conversations/messages/abilities.ts'
import type { MailHead } from '../../conversations/messages/mail-head.ts'

type Begun = {
  text: string
  head: MailHead
  /** How many files the channel carries in no form. */
  files: number
  isReply: boolean
}

/** What of a draft the channel does not carry, in a sentence; a head and files stay until one writes where they can go. */
export const leftOut = ({ text, head, files, isReply }: Begun, { channel, why }: Abilities): string | null => {
  if (!channel) return null
  const copies = !channel.mailLimits && head.cc.length + head.bcc.length > 0
  const subject = !channel.mailLimits && head.subject.trim() !== ''
  const lost = [
    subject && 'assunto',
    copies && 'cópias',
    channel.sms && withoutMarks(text) !== text && 'formatação',
    isReply && why('reply') && 'citação',
    files > 0 && plural(files, 'arquivo', 'arquivos'),
  ].filter((one) => typeof one === 'string')
  if (!lost.length) return null
  const listed = new Intl.ListFormat('pt-BR').format(lost)
  const isOne = lost.length === 1 && files <= 1 && !copies
  const said = `${listed} ${isOne ? 'não vai' : 'não vão'} por ${channel.label}.`
  const kept = subject || copies || files > 0 ? ' O que não vai fica guardado no rascunho.' : ''
  return said.charAt(0).toUpperCase() + said.slice(1) + kept
}

import type { Part } from '@balcao/contract/conversations/parts.ts'
import {
  type AutoReply,
  autoReplyHoursLabels,
  autoReplyProblems,
  autoReplyStartLabels,
  type Keyword,
} from '@balcao/contract/service/auto-replies.ts'

/** "pix, chave pix; parecido com boleto, fatura; exatamente oi". */
export const wordsText = (keywords: readonly Keyword[]): string =>
  (['contains', 'similar', 'exact'] as const)
    .flatMap((mode) => {
      const texts = keywords.filter((one) => one.mode === mode).map(({ text }) => text)
      return texts.length ? modeWords[mode] + texts.join(', ') : []
    })
    .join('; ')
const modeWords = { contains: '', similar: 'parecido com ', exact: 'exatamente ' }

/** When it answers, in one line. */
export const whenText = ({ starts, keywords, isFirstOnly, afterId }: AutoReply): string => {
  const what = starts === 'words' ? wordsText(keywords) : autoReplyStartLabels[starts]
  return isFirstOnly && !afterId && starts !== 'chosen' ? `${what} · só no começo` : what
}

/** Where and when it holds, where that is not everywhere and always. */
export const placeText = ({ hours, connectionIds }: AutoReply, nameOf: (id: string) => string | undefined): string =>
  [
    ...(hours === 'always' ? [] : [autoReplyHoursLabels[hours]]),
    ...(connectionIds.length ? [connectionIds.flatMap((id) => nameOf(id) ?? []).join(', ')] : []),
  ].join(' · ')

type Written = Parameters<typeof autoReplyProblems>[0] & { actions: readonly unknown[]; nextId: string | null }
/** What stays empty is not said, where something else is done. */
export const spokenParts = <P extends Part>({
  parts,
  actions,
  nextId,
}: { parts: readonly P[] } & Omit<Written, 'parts' | 'starts' | 'keywords'>): P[] =>
  actions.length || nextId
    ? parts.filter(({ kind, body, mediaId }) => kind !== 'text' || body.trim() || mediaId)
    : [...parts]

export const problemsOf = (values: Written) => [
  ...autoReplyProblems({ ...values, parts: spokenParts(values) }),
  ...(values.parts.length || values.actions.length || values.nextId
    ? []
    : [{ path: 'parts', message: 'Escreva uma mensagem, escolha um passo ou a resposta em que continua.' }]),
]

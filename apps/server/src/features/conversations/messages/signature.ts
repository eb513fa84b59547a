import { type ChannelKind, channels } from '@balcao/contract/channels/index.ts'

type Signing = { kind: ChannelKind; name: string; isAsked: boolean }

/** Under the writer's name where that is asked for; a channel whose window shows who writes would say it twice. */
export const signedText = (text: string, { kind, name, isAsked }: Signing): string => {
  const { showsAuthor }: { showsAuthor?: boolean } = channels[kind]
  return text && isAsked && !showsAuthor ? `*${name}*:\n${text}` : text
}

import type { Abilities, Capability } from '@balcao/contract/channels/abilities.ts'
import { windowHoursOf } from '@balcao/contract/channels/window.ts'
import { formatNumber } from '../../../kit/format.ts'
import classes from './connection-card.module.css'

/** What it carries, as people say it; the rest of an ability shows where it is used. */
const words: Partial<Record<Capability, string>> = {
  text: 'texto',
  image: 'fotos',
  audio: 'áudio',
  video: 'vídeo',
  document: 'documentos',
  attachments: 'vários anexos em uma mensagem',
  sticker: 'figurinhas',
  location: 'localização',
  contact: 'contatos',
  mail: 'assunto e cópias',
  reply: 'respostas citadas',
  reaction: 'reações',
  buttons: 'botões',
  list: 'listas',
  poll: 'enquetes',
  template: 'modelos aprovados',
  groupMessages: 'grupos',
}
const inWords = new Intl.ListFormat('pt-BR')

/** What this very connection can do: channels of one kind differ, by what stands behind them. */
export const ConnectionAbilities = ({ abilities }: { abilities: Abilities }) => {
  const { supports, textLimits } = abilities
  const carried = inWords.format(supports.flatMap((one) => words[one] ?? []))
  const hours = windowHoursOf(abilities)
  return (
    <details className={classes.carries}>
      <summary>O que este canal leva</summary>
      <p>
        {carried.charAt(0).toUpperCase() + carried.slice(1)}. Cada texto tem até {formatNumber(textLimits.text)}{' '}
        caracteres.
      </p>
      {hours !== null && <p>Texto livre só até {hours} horas depois da última mensagem do contato.</p>}
    </details>
  )
}

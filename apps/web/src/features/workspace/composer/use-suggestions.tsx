import { describeAction } from '@balcao/contract/conversations/actions/index.ts'
import type { MentionCandidate } from '@balcao/contract/conversations/mentions.ts'
import type { Media } from '@balcao/contract/core/media.ts'
import type { Macro } from '@balcao/contract/service/macros.ts'
import type { QuickMessage } from '@balcao/contract/service/quick-messages.ts'
import { fillVariables, type VariableContext, variables } from '@balcao/contract/variables.ts'
import { IconListDetails, IconUser, IconUsersGroup } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useState } from 'react'
import { Avatar } from '../../../ui/avatar.tsx'
import { showPhone } from '../../contacts/contacts/phone.ts'
import { findMembers } from '../../conversations/groups/find.ts'
import { findCandidates } from '../../conversations/mentions/find.ts'
import type { Channel } from '../../conversations/messages/abilities.ts'
import type { Ready } from '../../conversations/messages/ready.ts'
import { PartsPreview } from '../../conversations/parts/parts-preview.tsx'
import { useNames } from '../../service/actions/use-names.ts'
import { macroOptions } from '../../service/macros/api.ts'
import { useQuickMessages } from '../../service/quick-messages/api.ts'
import { findQuickMessages } from '../../service/quick-messages/find.ts'
import { QuickIcon, QuickLine } from '../../service/quick-messages/quick-line.tsx'
import { type Suggestion, SuggestList, suggestionId, suggestListId } from './suggest-list.tsx'
import { type Trigger, triggerAt } from './trigger.ts'
import type { WritingPlace } from './writing-place.ts'

/** What was chosen: words in the place of what was typed, or a macro to run. */
export type Picked = { text: string; media?: Media | null; macro?: Macro; ready?: Ready }
type Choice = Suggestion & { picked: Picked }

type Given = {
  text: string
  caret: number
  isNote: boolean
  isOff: boolean
  context: VariableContext
  channel: Channel | undefined
  candidates: readonly MentionCandidate[]
  members: WritingPlace['members']
  onPick: (picked: Picked, place: { start: number; end: number }) => void
}

/** What `/`, `\`, `{{` and `@` offer while one types, and the keys that choose from it. */
export const useSuggestions = ({
  text,
  caret,
  isNote,
  isOff,
  context,
  channel,
  candidates,
  members,
  onPick,
}: Given) => {
  const [index, setIndex] = useState(0)
  const [isClosed, setClosed] = useState(false)
  const [opened, setOpened] = useState<Opened | null>(null)
  const asked =
    isOff || isClosed
      ? null
      : (openedAt(opened, text, caret) ?? triggerAt(text, caret, isNote ? 'note' : members ? 'group' : 'reply'))
  const { offered, folderOf, isPending: isQuickPending } = useQuickMessages(asked?.kind === 'quick')
  const macros = useQuery({ ...macroOptions, enabled: asked?.kind === 'macro' })
  const names = useNames(asked?.kind === 'macro')

  const choices = asked ? choicesFor(asked) : []
  // A name or two words that fit nothing were never meant as a search.
  const isOpen = asked !== null && (choices.length > 0 || !asked.word.includes(' '))
  const active = Math.min(index, Math.max(0, choices.length - 1))

  function choicesFor({ kind, word }: Trigger): Choice[] {
    switch (kind) {
      case 'quick':
        return findQuickMessages(offered, word).map((one) => ({
          id: one.id,
          label: `/${one.key}`,
          detail: <QuickLine quick={one} folder={folderOf(one)} />,
          icon: <QuickIcon parts={one.parts} />,
          preview: <PartsPreview parts={one.parts} context={context} channel={channel} />,
          picked: pickedOf(one, context, isNote),
        }))
      case 'macro':
        return (macros.data ?? [])
          .filter((one) => plain(one.name).includes(plain(word)))
          .map((one) => ({
            id: one.id,
            label: one.name,
            detail: one.actions.length === 1 ? '1 passo' : `${one.actions.length} passos`,
            icon: <IconListDetails size={16} aria-hidden />,
            preview: one.actions.map((step, at) => `${at + 1}. ${describeAction(step, names.nameOf)}`).join('\n'),
            picked: { text: '', macro: one },
          }))
      case 'variable':
        return variableChoices(word, context)
      case 'mention':
        return findCandidates(candidates, word).map((one) => ({
          id: one.id,
          label: one.name,
          detail: one.kind === 'queue' ? `fila, ${one.people === 1 ? '1 pessoa' : `${one.people} pessoas`}` : undefined,
          icon: one.kind === 'queue' ? <IconUsersGroup size={16} aria-hidden /> : <IconUser size={16} aria-hidden />,
          refusal: one.canSee ? undefined : 'não vê este atendimento: compartilhe antes',
          picked: { text: `@${one.name} ` },
        }))
      case 'member':
        return findMembers(members?.list ?? [], word)
          .slice(0, mostOffered)
          .map((one) => ({
            id: one.id,
            label: one.name,
            detail: one.number && one.name.replace(/\D/g, '') !== one.number ? showPhone(one.number) : undefined,
            icon: <Avatar name={one.name} src={one.profilePicUrl} size={24} />,
            picked: { text: `@${one.name} ` },
          }))
    }
  }

  const pick = (at: number) => {
    const choice = choices[at]
    if (!asked || !choice || choice.refusal) return
    const joins = opened && choice.picked.text && /\S$/.test(text.slice(0, asked.start))
    close()
    onPick(joins ? { ...choice.picked, text: ` ${choice.picked.text}` } : choice.picked, {
      start: asked.start,
      end: caret,
    })
  }
  const close = () => {
    setIndex(0)
    setOpened(null)
  }

  /** True when the key was for the list. */
  const handleKey = (event: KeyboardEvent): boolean => {
    if (!isOpen) return false
    const count = choices.length
    if (event.key === 'Escape') {
      event.stopPropagation()
      if (opened) close()
      else setClosed(true)
    } else if (event.key === 'ArrowDown' && count) setIndex((active + 1) % count)
    else if (event.key === 'ArrowUp' && count) setIndex((active + count - 1) % count)
    else if ((event.key === 'Enter' || event.key === 'Tab') && count && !event.ctrlKey) pick(active)
    else return false
    return true
  }

  const isLoading =
    asked?.kind === 'member'
      ? members?.isLoading
      : asked?.kind === 'quick'
        ? isQuickPending
        : asked?.kind === 'macro' && macros.isPending
  return {
    handleKey,
    /** By its button, where the caret is: nothing is written until something is picked. Once more closes it. */
    toggle: (kind: Opened['kind']) => {
      setClosed(false)
      setIndex(0)
      setOpened(opened?.kind === kind ? null : { kind, start: caret })
    },
    /** The hand went elsewhere. */
    close,
    /** Something was typed: the list may open again. */
    reset: () => {
      setClosed(false)
      setIndex(0)
    },
    aria: {
      'aria-autocomplete': 'list' as const,
      'aria-controls': isOpen ? suggestListId : undefined,
      'aria-activedescendant': isOpen && choices.length ? suggestionId(active) : undefined,
    },
    list: isOpen && (
      <SuggestList
        label={labels[asked.kind]}
        items={choices}
        activeIndex={active}
        empty={isLoading ? 'Carregando…' : emptyText(asked)}
        onHover={setIndex}
        onPick={pick}
      />
    ),
  }
}

const mostOffered = 30

/** One text or one file is written where the cursor is and can be changed; more than that goes as it is kept. */
const pickedOf = (quick: QuickMessage, context: VariableContext, isNote: boolean): Picked => {
  const { id: quickMessageId, key, parts, message } = quick
  if (isNote) return { text: fillVariables(message, context) }
  const [only, ...others] = parts
  const isPlain = only && !others.length && only.kind !== 'choices'
  if (!isPlain) return { text: '', ready: { quickMessageId, key, parts } }
  return {
    text: fillVariables(only.body, context),
    media: only.media,
    ready: { quickMessageId, key, parts: [] },
  }
}

/** A list that a button opened: what is typed from there on searches it. */
type Opened = { kind: 'quick' | 'macro'; start: number }
const openedAt = (opened: Opened | null, text: string, caret: number): Trigger | null => {
  if (!opened || caret < opened.start) return null
  const word = text.slice(opened.start, caret)
  return word.includes('\n') ? null : { ...opened, word }
}

const variableChoices = (word: string, context: VariableContext): Choice[] => {
  const own = (context.extra ?? []).map(({ name }) => ({ name: `extra.${name}`, label: `Campo ${name} do contato` }))
  return [...variables, ...own]
    .filter(({ name, label }) => plain(name).startsWith(plain(word)) || (word && plain(label).includes(plain(word))))
    .map(({ name, label }) => ({
      id: name,
      label: `{{${name}}}`,
      detail: fillVariables(`{{${name}}}`, context).trim() || 'sem valor neste contato',
      preview: label,
      picked: { text: `{{${name}}}` },
    }))
}

const labels = {
  quick: 'Mensagens rápidas',
  macro: 'Macros',
  variable: 'Variáveis',
  mention: 'Colegas e filas',
  member: 'Participantes do grupo',
} as const
const emptyText = ({ kind, word }: Trigger) => {
  switch (kind) {
    case 'quick':
      return word
        ? `Nenhuma mensagem rápida com “${word}”.`
        : 'Ainda não há mensagens rápidas. Crie em Mensagens rápidas, no menu.'
    case 'macro':
      return word ? `Nenhuma macro com “${word}”.` : 'Ainda não há macros. Crie em Mensagens rápidas, aba Macros.'
    case 'variable':
      return `Não há variável que comece com “${word}”.`
    case 'mention':
      return 'Ninguém com esse nome.'
    case 'member':
      return word ? `Ninguém no grupo com “${word}”.` : 'Ainda não sabemos quem está no grupo.'
  }
}

const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

import type { MessageSend } from '@balcao/contract/conversations/messages.ts'
import { fillVariables, placeholdersIn } from '@balcao/contract/variables.ts'
import type { RefObject } from 'react'
import { messageOf } from '../../../kit/api-error.ts'
import { notify } from '../../../ui/notify.ts'
import { calledIn } from '../../conversations/groups/find.ts'
import { calledBy } from '../../conversations/mentions/find.ts'
import type { ComposerTarget } from '../../conversations/messages/composer-target.tsx'
import { copiesProblem, useMailHead } from '../../conversations/messages/mail-head.ts'
import { unsigned } from '../../conversations/messages/preview.ts'
import { goingOut, useReady } from '../../conversations/messages/ready.ts'
import { useTray } from '../../conversations/messages/tray.ts'
import { chooseFile, uploadOf, useUploads } from '../../conversations/messages/uploads.ts'
import { leftOut } from './left-out.ts'
import { problemOf, typeOf } from './sendable.ts'
import { useWriting } from './use-writing.ts'
import type { SendHow, WritingPlace } from './writing-place.ts'

const longestNote = 4_096

type Given = {
  place: WritingPlace
  /** The newest message on the screen: what the person has seen. */
  lastSeq: number
  target: ComposerTarget
  onTarget: (target: ComposerTarget) => void
  isNote: boolean
  onNote: (isNote: boolean) => void
  /** Only notes may be written here and now. */
  onlyNotes: boolean
  input: RefObject<HTMLTextAreaElement | null>
}

/** What is being written, whether it may go, and what going makes of it. */
export const useComposing = ({ place, lastSeq, target, onTarget, onNote, onlyNotes, input, ...given }: Given) => {
  const { abilities, candidates, context } = place
  const tray = useTray(place.id)
  const editing = target?.kind === 'edit' ? target.message : null
  const replying = target?.kind === 'reply' ? target.message : null
  const isNote = editing ? editing.type === 'note' : given.isNote || onlyNotes
  const writing = useWriting({ placeId: place.id, kind: isNote ? 'note' : 'message', editing, lastSeq, input })
  const { text } = writing
  const called = isNote && text.includes('@') ? calledBy(text, candidates) : { ids: [], hidden: [] }

  const ready = useReady(place.id)
  const going = goingOut(ready, { abilities, context, longest: place.longest })
  const hasParts = going.some(({ type }) => type !== null)
  const unsendable = useUploads(() => tray.some((item) => problemOf(item, uploadOf(item.id), abilities) !== null))
  const carried = useUploads(() => tray.filter((item) => typeOf(item, uploadOf(item.id), abilities) !== null).length)
  const head = useMailHead(place.id)
  const isPlain = isNote || editing !== null
  const staying = isPlain
    ? null
    : leftOut({ text, head, files: tray.length - carried, isReply: replying !== null }, abilities)
  const limit = isNote ? longestNote : place.longest
  const left = limit - text.length
  const isReady =
    left < 0
      ? false
      : editing
        ? text.trim() !== '' && text.trim() !== unsigned(editing).body
        : isNote
          ? text.trim() !== ''
          : (text.trim() !== '' || carried > 0 || hasParts) && !unsendable && !going.some(({ problem }) => problem)

  const howNow = (more: Partial<SendHow> = {}): SendHow => ({ quoted: replying, seenSeq: writing.seenSeq(), ...more })
  const send = (over: Partial<MessageSend>, more?: Partial<SendHow>) => place.send(over, howNow(more))

  /** The words as they will read, or null when something has to be put right first: the place is shown. */
  const finalWords = (): string | null => {
    const body = text.trim()
    if (isNote) {
      const [hidden] = called.hidden
      if (hidden) writing.select(hidden)
      return hidden ? null : body
    }
    const mail = editing ? undefined : abilities.channel?.mailLimits
    const wrongCopies = mail && copiesProblem(head, mail.copies)
    if (wrongCopies) {
      notify.error(wrongCopies)
      return null
    }
    const unknown = placeholdersIn(text).find((one) => !one.isKnown)
    if (unknown) {
      writing.select(unknown)
      return null
    }
    const filled = fillVariables(body, context).trim()
    if (filled.length > limit) notify.error('Com os dados do contato, o texto fica longo demais. Encurte um pouco.')
    else if (body && !filled) notify.error('O texto ficaria vazio: o contato não tem os dados que as variáveis pedem.')
    else return filled
    return null
  }

  /** True once it is on its way. */
  const finish = (atOnce = false): boolean => {
    const words = isReady ? finalWords() : null
    if (words === null) return false
    if (editing) {
      void saveEdit(words)
      return false
    }
    if (isNote) send({ type: 'note', body: words, mentions: called.ids })
    else place.sendAll(words, howNow({ atOnce, called: calledIn(words, place.members?.list ?? []) }))
    writing.clear()
    place.typing.stop()
    onTarget(null)
    if (isNote && !onlyNotes) onNote(false)
    input.current?.focus()
    return true
  }
  const saveEdit = async (words: string) => {
    if (!editing) return
    try {
      await place.edit(editing, unsigned(editing).signature + words)
      onTarget(null)
    } catch (error) {
      notify.error(messageOf(error))
    }
  }
  const schedule = (wall?: string) => {
    if (!isReady || finalWords() === null) return
    place.typing.stop()
    place.later?.begin(wall)
    if (wall) onTarget(null)
  }
  const sendVoice = (file: File) => {
    send({ type: 'audio' }, { file: chooseFile(file) })
    onTarget(null)
  }
  return {
    tray,
    ready,
    going,
    editing,
    isNote,
    writing,
    called,
    limit,
    left,
    staying,
    isReady,
    send,
    finish,
    schedule,
    sendVoice,
  }
}

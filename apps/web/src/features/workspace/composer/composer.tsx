import type { Contact } from '@balcao/contract/contacts/contacts.ts'
import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import { fillVariables, placeholdersIn } from '@balcao/contract/variables.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import {
  type ClipboardEvent,
  type KeyboardEvent,
  lazy,
  type RefObject,
  Suspense,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { messageOf } from '../../../kit/api-error.ts'
import { formatNumber } from '../../../kit/format.ts'
import { useCan } from '../../../kit/use-can.ts'
import { notify } from '../../../ui/notify.ts'
import { useContactContext } from '../../contacts/variables/contact-context.ts'
import { Reading } from '../../contacts/variables/reading.tsx'
import { mentionCandidates } from '../../conversations/mentions/api.ts'
import { calledBy } from '../../conversations/mentions/find.ts'
import type { Abilities } from '../../conversations/messages/abilities.ts'
import { editMessage, receiveMessage } from '../../conversations/messages/api.ts'
import { type ComposerTarget, TargetBar } from '../../conversations/messages/composer-target.tsx'
import { useDraft } from '../../conversations/messages/drafts.ts'
import { undoableIn } from '../../conversations/messages/outbox.ts'
import { unsigned } from '../../conversations/messages/preview.ts'
import { type TakenBack, takeBack } from '../../conversations/messages/take-back.ts'
import { attachFiles, attachMedia, useTray } from '../../conversations/messages/tray.ts'
import { chooseFile, uploadOf, useUploads } from '../../conversations/messages/uploads.ts'
import { createTypingSignal } from '../../people/presence/typing-signal.ts'
import { runAndTell } from '../../service/macros/run.ts'
import { AttachMenu, type ComposerDialog } from './attach-menu.tsx'
import { AttachmentTray } from './attachment-tray.tsx'
import classes from './composer.module.css'
import { ComposerDialogs } from './composer-dialogs.tsx'
import { EmojiButton, MacroButton, NoteButton, QuickButton, SignatureButton, VoiceButton } from './composer-tools.tsx'
import { SendButton } from './send-button.tsx'
import { problemOf } from './sendable.ts'
import { useSendLater } from './use-send-later.ts'
import { useSending } from './use-sending.ts'
import { type Picked, useSuggestions } from './use-suggestions.tsx'
import { useWriting } from './use-writing.ts'

const ScheduleDrawer = lazy(async () => ({
  default: (await import('../../operations/schedules/schedule-drawer.tsx')).ScheduleDrawer,
}))
const VoiceBar = lazy(async () => ({ default: (await import('../../core/voice/voice-bar.tsx')).VoiceBar }))

const longestNote = 4_096

type Props = {
  ticket: Ticket
  contact: Contact | undefined
  abilities: Abilities
  /** The newest message on the screen: what the person has seen. */
  lastSeq: number
  target: ComposerTarget
  onTarget: (target: ComposerTarget) => void
  isNote: boolean
  onNote: (isNote: boolean) => void
  /** What was not sent is here again: in which mode, and answering what. */
  onTakenBack: (back: TakenBack) => void
  /** Only notes may be written here and now (a pending ticket, a closed window). */
  onlyNotes: boolean
  input: RefObject<HTMLTextAreaElement | null>
  /** Closes the conversation, once what is written has left. */
  onClose?: () => void
}

/** Where answers are written. What is typed is kept at once; what is sent appears at once. */
export const Composer = (props: Props) => {
  const { ticket, contact, abilities, lastSeq, target, onTarget, onNote, onTakenBack, onlyNotes, input, onClose } =
    props
  const cache = useQueryClient()
  const tray = useTray(ticket.id)
  const [dialog, setDialog] = useState<ComposerDialog | null>(null)
  const [isRecording, setRecording] = useState(false)
  const typing = useMemo(() => createTypingSignal(ticket.id, abilities.showsTyping), [ticket.id, abilities.showsTyping])

  const editing = target?.kind === 'edit' ? target.message : null
  const replying = target?.kind === 'reply' ? target.message : null
  const isNote = editing ? editing.type === 'note' : props.isNote || onlyNotes
  const kind = isNote ? 'note' : 'message'
  const writing = useWriting({ ticketId: ticket.id, kind, editing, lastSeq, input })
  const hasOther = useDraft({ ticketId: ticket.id, kind: isNote ? 'message' : 'note' }).trim() !== ''
  const { text, caret, insert } = writing
  const { send, sendAll, signs, mustSign, longest } = useSending({
    ticket,
    abilities,
    replying,
    seenSeq: writing.seenSeq,
  })
  const later = useSendLater(ticket)
  const maySchedule = useCan('schedules.write')
  const context = useContactContext(ticket, contact)
  const colleagues = useQuery({ ...mentionCandidates(ticket.id), enabled: isNote })
  const candidates = colleagues.data ?? []
  const called = isNote && text.includes('@') ? calledBy(text, candidates) : { ids: [], hidden: [] }

  const unsendable = useUploads(() => tray.some((item) => problemOf(item, uploadOf(item.id), abilities) !== null))
  const limit = isNote ? longestNote : longest
  const left = limit - text.length
  const isReady =
    left < 0
      ? false
      : editing
        ? text.trim() !== '' && text.trim() !== unsigned(editing).body
        : isNote
          ? text.trim() !== ''
          : (text.trim() !== '' || tray.length > 0) && !unsendable

  useEffect(() => {
    return typing.stop
  }, [typing])
  const aimed = useRef<ComposerTarget>(null)
  useEffect(() => {
    if (target && target !== aimed.current) input.current?.focus() // not again when its conversation is shown again
    aimed.current = target
  }, [target, input])

  const handlePick = ({ text: words, media, macro }: Picked, place: { start: number; end: number }) => {
    insert(words, place)
    if (media) attachMedia(ticket.id, media)
    if (macro) void runAndTell(macro, ticket.id)
  }
  const suggestions = useSuggestions({
    text,
    caret,
    isNote,
    isOff: editing !== null && !isNote,
    context,
    candidates,
    onPick: handlePick,
  })

  /** The words as they will read, or null when something has to be put right first: the place is shown. */
  const finalWords = (): string | null => {
    const body = text.trim()
    if (isNote) {
      const [hidden] = called.hidden
      if (hidden) writing.select(hidden)
      return hidden ? null : body
    }
    const unknown = placeholdersIn(text).find((place) => !place.isKnown)
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
  const handleSend = (atOnce = false): boolean => {
    const words = isReady ? finalWords() : null
    if (words === null) return false
    if (editing) {
      void saveEdit(words)
      return false
    }
    if (isNote) send({ type: 'note', body: words, mentions: called.ids })
    else sendAll(words, atOnce)
    writing.clear()
    typing.stop()
    onTarget(null)
    if (isNote && !onlyNotes) onNote(false)
    input.current?.focus()
    return true
  }
  const handleSendAndClose = () => {
    if (onClose && !isNote && handleSend(true)) onClose()
  }
  const saveEdit = async (words: string) => {
    if (!editing) return
    try {
      receiveMessage(cache, await editMessage(editing.id, unsigned(editing).signature + words))
      onTarget(null)
    } catch (error) {
      notify.error(messageOf(error))
    }
  }

  const handleSchedule = (wall?: string) => {
    if (!isReady || finalWords() === null) return
    typing.stop()
    void later.begin(wall)
    if (wall) onTarget(null)
  }

  const handleVoice = (file: File) => {
    setRecording(false)
    input.current?.focus()
    send({ type: 'audio' }, { file: chooseFile(file) })
    onTarget(null)
  }

  const undo = (): boolean => {
    const last = text === '' && !editing ? undoableIn(ticket.id) : undefined
    const back = last && takeBack(ticket.id, last.message.id)
    if (back) onTakenBack(back)
    return back !== undefined
  }
  const handleKey = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.nativeEvent.isComposing) return
    const isCtrl = event.ctrlKey || event.metaKey
    if (suggestions.handleKey(event)) return event.preventDefault()
    if (event.key === 'Enter' && (isCtrl || (!event.shiftKey && !isTouch()))) {
      event.preventDefault()
      if (isCtrl && event.shiftKey) handleSendAndClose()
      else handleSend(isCtrl)
    } else if (event.key.toLowerCase() === 'z' && isCtrl && !event.shiftKey) {
      if (undo()) event.preventDefault()
    } else if (event.key === 'Escape') {
      event.stopPropagation()
      if (target) onTarget(null)
      else if (undo()) return
      else if (isNote && !onlyNotes) onNote(false)
      else leaveField(event.currentTarget)
    }
  }
  const handlePaste = (event: ClipboardEvent) => {
    const files = [...event.clipboardData.files]
    if (!files.length || !abilities.canAttach || isNote) return
    event.preventDefault()
    attachFiles(ticket.id, files)
  }
  const unsignedReason = abilities.showsAuthor
    ? 'Este canal já mostra seu nome ao cliente.'
    : mustSign
      ? 'A empresa assina todas as mensagens com o nome do atendente.'
      : null
  const openList = (kind: 'quick' | 'macro') => {
    suggestions.toggle(kind)
    input.current?.focus()
  }

  return (
    <div className={classes.composer} data-note={isNote}>
      {suggestions.list}
      {target && <TargetBar target={target} contactName={ticket.name} onCancel={() => onTarget(null)} />}
      {!isNote && !editing && <AttachmentTray ticketId={ticket.id} items={tray} abilities={abilities} />}
      {isRecording && (
        <Suspense fallback={null}>
          <VoiceBar
            ticketId={ticket.id}
            onSend={handleVoice}
            onClose={() => {
              setRecording(false)
              input.current?.focus()
            }}
          />
        </Suspense>
      )}
      <div className={classes.box} hidden={isRecording}>
        <textarea
          ref={input}
          rows={1}
          className={classes.input}
          aria-label={isNote ? 'Nota interna' : 'Mensagem'}
          placeholder={placeholderFor(isNote)}
          lang="pt-BR"
          spellCheck
          value={text}
          {...suggestions.aria}
          onChange={(event) => {
            writing.setCaret(event.currentTarget.selectionStart)
            suggestions.reset()
            writing.write(event.currentTarget.value)
            if (event.currentTarget.value) typing.press(!isNote)
            else typing.stop()
          }}
          onBlur={suggestions.close}
          onSelect={(event) => writing.setCaret(event.currentTarget.selectionStart)}
          onKeyDown={handleKey}
          onPaste={handlePaste}
        />
        {!isNote && <Reading text={text} context={context} />}
        {called.hidden.length > 0 && (
          <p className={classes.problem} role="alert">
            {called.hidden.flatMap(({ of }) => of.map((one) => one.name)).join(', ')} não vê este atendimento.
            Compartilhe antes de mencionar.
          </p>
        )}
        <div className={classes.tools}>
          {!editing && (
            <AttachMenu
              abilities={abilities}
              isDisabled={isNote}
              onFiles={(files) => attachFiles(ticket.id, files)}
              onDialog={setDialog}
            />
          )}
          <EmojiButton onPick={(emoji) => insert(emoji, { keepsFocus: true })} onClose={() => input.current?.focus()} />
          {!editing && (
            <>
              <QuickButton onClick={() => openList('quick')} />
              <MacroButton onClick={() => openList('macro')} />
              {!onlyNotes && (
                <NoteButton
                  isNote={isNote}
                  hasOther={hasOther}
                  onClick={() => {
                    onNote(!isNote)
                    input.current?.focus()
                  }}
                />
              )}
              {!isNote && <SignatureButton obstacle={unsignedReason} signs={signs} />}
            </>
          )}
          <span className={classes.space} />
          {left < limit / 10 && (
            <span className={`${classes.count} tabular`} data-over={left < 0} role="status">
              {left < 0 ? `${formatNumber(-left)} a mais` : formatNumber(left)}
            </span>
          )}
          {!editing && !isNote && <VoiceButton obstacle={abilities.why('audio')} onClick={() => setRecording(true)} />}
          <SendButton
            label={editing ? 'Salvar' : isNote ? 'Anotar' : 'Enviar'}
            isNote={isNote}
            isReady={isReady}
            onSend={() => void handleSend()}
            menu={
              editing || isNote
                ? undefined
                : {
                    onSendNow: () => void handleSend(true),
                    onSendAndClose: onClose && handleSendAndClose,
                    onSchedule: maySchedule ? handleSchedule : undefined,
                    scheduleNote: abilities.windowHours
                      ? `Só é entregue se o cliente escrever nas ${abilities.windowHours} horas antes do envio.`
                      : undefined,
                  }
            }
          />
        </div>
      </div>
      <ComposerDialogs
        dialog={dialog}
        ticket={ticket}
        contact={contact}
        lastSeq={lastSeq}
        signs={signs}
        onSend={send}
        onClose={() => setDialog(null)}
      />
      {later.choosing && (
        <Suspense fallback={null}>
          <ScheduleDrawer
            schedule={null}
            newFor={{
              contact: { value: ticket.contactId, label: ticket.contact.name },
              connectionId: ticket.whatsappId,
              ...later.choosing,
            }}
            onSaved={() => {
              later.empty()
              onTarget(null)
            }}
            onClose={() => {
              later.endChoosing()
              input.current?.focus()
            }}
          />
        </Suspense>
      )}
    </div>
  )
}

const placeholderFor = (isNote: boolean) => {
  if (isNote) return 'Escreva uma nota. Só a equipe vê. Use @ para chamar alguém.'
  return isTouch() ? 'Escreva uma mensagem' : 'Escreva uma mensagem ou digite / para as rápidas'
}

/** To the frame of the conversation, where letters are shortcuts. */
const leaveField = (field: HTMLElement) => {
  field.blur()
  field.closest<HTMLElement>('[data-keys=frame]')?.focus({ preventScroll: true })
}

/** On glass, Enter makes a line and the button sends. */
const isTouch = () => window.matchMedia('(pointer: coarse)').matches

import { fillVariables } from '@balcao/contract/variables.ts'
import { useMediaQuery } from '@mantine/hooks'
import { type ClipboardEvent, type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { formatNumber } from '../../../kit/format.ts'
import { lazyPart } from '../../../kit/lazy-part.ts'
import { Opened } from '../../../kit/opened.tsx'
import { notify } from '../../../ui/notify.ts'
import { UserText } from '../../../ui/user-text.tsx'
import { useAskedOfComposer } from '../../automation/copilot/asked.ts'
import { CopilotMenu } from '../../automation/copilot/copilot-menu.tsx'
import { ProposalBar } from '../../automation/copilot/proposal-bar.tsx'
import { useCopilot } from '../../automation/copilot/use-copilot.ts'
import { Reading } from '../../contacts/variables/reading.tsx'
import { type ComposerTarget, TargetBar } from '../../conversations/messages/composer-target.tsx'
import { useDraft } from '../../conversations/messages/drafts.ts'
import { makeReady } from '../../conversations/messages/ready.ts'
import { SmsCount } from '../../conversations/messages/sms-count.tsx'
import type { TakenBack } from '../../conversations/messages/take-back.ts'
import { attachFiles, attachMedia } from '../../conversations/messages/tray.ts'
import { AttachMenu, type ComposerDialog } from './attach-menu.tsx'
import { AttachmentTray } from './attachment-tray.tsx'
import classes from './composer.module.css'
import { EmojiButton, MacroButton, NoteButton, QuickButton, SignatureButton, VoiceButton } from './composer-tools.tsx'
import { MailFields } from './mail-fields.tsx'
import { MailMarks } from './mail-marks.tsx'
import { type Mark, marked, marks } from './marks.ts'
import { pastedFiles } from './pasted.ts'
import { ReadyCard } from './ready-card.tsx'
import { SendButton } from './send-button.tsx'
import { useComposing } from './use-composing.ts'
import { type Picked, useSuggestions } from './use-suggestions.tsx'
import type { WritingPlace } from './writing-place.ts'

const VoiceBar = lazyPart(async () => ({ default: (await import('../../core/voice/voice-bar.tsx')).VoiceBar }))

type Props = {
  place: WritingPlace
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
  const { place, target, onTarget, onNote, onTakenBack, onlyNotes, input, onClose } = props
  const { abilities } = place
  const [dialog, setDialog] = useState<ComposerDialog | null>(null)
  const [isRecording, setRecording] = useState(false)
  const composing = useComposing(props)
  const {
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
  } = composing
  const { text, caret, insert } = writing
  const sms = abilities.channel?.sms
  const mailLimits = abilities.channel?.mailLimits
  const words = sms ? fillVariables(text.trim(), place.context).trim() : ''
  const hasOther = useDraft({ ticketId: place.id, kind: isNote ? 'message' : 'note' }).trim() !== ''

  // Back from another conversation the microphone is not open; what was recorded is among the files.
  useEffect(() => {
    return () => setRecording(false)
  }, [])
  const { stop } = place.typing
  useEffect(() => {
    return stop
  }, [stop])
  const aimed = useRef<ComposerTarget>(null)
  useEffect(() => {
    if (target && target !== aimed.current) input.current?.focus() // not again when its conversation is shown again
    aimed.current = target
  }, [target, input])

  const handlePick = ({ text: words, media, macro, ready: picked }: Picked, at: { start: number; end: number }) => {
    insert(words, at)
    if (media) attachMedia(place.id, media)
    // What only counts leaves alone what waits to be sent.
    if (picked?.parts.length || !going.length) makeReady(place.id, picked ?? ready)
    if (macro) place.runMacro(macro)
  }
  const suggestions = useSuggestions({
    text,
    caret,
    isNote,
    isOff: editing !== null && !isNote,
    context: place.context,
    channel: abilities.channel,
    candidates: place.candidates,
    members: place.members,
    onPick: handlePick,
  })

  const offered = editing ? undefined : place.copilot
  const copilot = useCopilot({ ticketId: place.id, text, write: writing.write, focus: () => input.current?.focus() })
  useAskedOfComposer(place.id, (task) => {
    if (!offered) return
    const { ticketId } = offered
    void copilot.ask(
      task === 'suggest'
        ? { task, ticketId, draft: text.trim() }
        : task === 'summary'
          ? { task, ticketId, for: 'transfer' }
          : { task, ticketId },
    )
  })

  const handleSendAndClose = () => {
    if (onClose && !isNote && finish(true)) onClose()
  }
  const closeVoice = () => {
    setRecording(false)
    input.current?.focus()
  }
  const undo = (): boolean => {
    const back = text === '' && !editing ? place.undo() : undefined
    if (back) onTakenBack(back)
    return back !== undefined
  }
  const handleMark = (mark: Mark) => {
    const field = input.current
    if (!field) return
    const { piece, selected, ...at } = marked(text, { start: field.selectionStart, end: field.selectionEnd }, mark)
    insert(piece, at)
    writing.select(selected)
  }
  const handleKey = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.nativeEvent.isComposing) return
    const isCtrl = event.ctrlKey || event.metaKey
    if (suggestions.handleKey(event)) return event.preventDefault()
    if (offered && copilot.handleKey(event)) return event.preventDefault()
    if (offered && isCtrl && !event.shiftKey && event.key.toLowerCase() === 'j') {
      event.preventDefault()
      return void copilot.ask({ task: 'suggest', ticketId: offered.ticketId, draft: text.trim() })
    }
    const mark =
      isCtrl && !event.shiftKey && mailLimits && !isNote && marks.find(({ key }) => key === event.key.toUpperCase())
    if (mark) {
      event.preventDefault()
      return handleMark(mark.mark)
    }
    if (event.key === 'Enter' && (isCtrl || (!event.shiftKey && !isTouch()))) {
      event.preventDefault()
      if (isCtrl && event.shiftKey) handleSendAndClose()
      else finish(isCtrl)
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
    const files = pastedFiles(event.clipboardData)
    if (!files.length) return
    event.preventDefault()
    if (isNote || editing) notify.info('Aqui cabe só texto.')
    else if (abilities.canAttach) attachFiles(place.id, files)
    else notify.info('Este canal não leva arquivos.')
  }
  const isNarrow = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false })
  const openList = (kind: 'quick' | 'macro') => {
    suggestions.toggle(kind)
    input.current?.focus()
  }

  return (
    <div className={classes.composer} data-note={isNote}>
      {suggestions.list}
      {offered && <ProposalBar copilot={copilot} />}
      {target && <TargetBar target={target} contactName={place.name} onCancel={() => onTarget(null)} />}
      {!isNote && !editing && <AttachmentTray placeId={place.id} items={tray} abilities={abilities} />}
      {!isNote && !editing && ready && going.length > 0 && <ReadyCard placeId={place.id} ready={ready} going={going} />}
      {isRecording && (
        <Opened onLost={closeVoice}>
          <VoiceBar
            placeId={place.id}
            onSend={(file) => {
              closeVoice()
              sendVoice(file)
            }}
            onLeave={(file) => attachFiles(place.id, [file])}
            onClose={closeVoice}
          />
        </Opened>
      )}
      <div className={classes.box} hidden={isRecording}>
        {mailLimits && !isNote && !editing && <MailFields placeId={place.id} limits={mailLimits} />}
        <textarea
          ref={input}
          rows={1}
          className={classes.input}
          aria-label={isNote ? 'Nota interna' : 'Mensagem'}
          placeholder={placeholderFor({ isNote, canCall: place.members !== null, isBrief: isNarrow || isTouch() })}
          lang="pt-BR"
          spellCheck
          value={text}
          {...suggestions.aria}
          onChange={(event) => {
            writing.setCaret(event.currentTarget.selectionStart)
            suggestions.reset()
            writing.write(event.currentTarget.value)
            if (!event.currentTarget.value && ready && !ready.parts.length) makeReady(place.id, null)
            if (event.currentTarget.value) place.typing.press(!isNote)
            else place.typing.stop()
          }}
          onBlur={suggestions.close}
          onSelect={(event) => writing.setCaret(event.currentTarget.selectionStart)}
          onKeyDown={handleKey}
          onPaste={handlePaste}
        />
        {!isNote && <Reading text={text} context={place.context} />}
        {called.hidden.length > 0 && (
          <p className={classes.problem} role="alert">
            {called.hidden.flatMap(({ of }) => of.map((one) => one.name)).join(', ')} não vê este atendimento.
            Compartilhe antes de mencionar.
          </p>
        )}
        {!isNote && !editing && place.signature.below && (
          <div className={classes.signature} role="note" aria-label="Assinatura">
            <UserText text={place.signature.below} />
          </div>
        )}
        {staying && (
          <p className={classes.staying} role="status">
            {staying}
          </p>
        )}
        {mailLimits && !isNote && <MailMarks text={text} onMark={handleMark} />}
        <div className={classes.tools}>
          {!editing && (
            <AttachMenu
              abilities={abilities}
              isDisabled={isNote}
              onFiles={(files) => attachFiles(place.id, files)}
              onDialog={setDialog}
            />
          )}
          {offered && !offered.isComing && (
            <CopilotMenu
              ticketId={offered.ticketId}
              text={text}
              lastFromCustomer={offered.lastFromCustomer}
              onAsk={(asked) => void copilot.ask(asked)}
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
              {!isNote && <SignatureButton obstacle={place.signature.obstacle} signs={place.signature.isOn} />}
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
            onSend={() => void finish()}
            menu={
              editing || isNote
                ? undefined
                : {
                    onSendNow: () => void finish(true),
                    onSendAndClose: onClose && handleSendAndClose,
                    onSchedule: going.length ? undefined : place.later && schedule,
                    scheduleNote: place.later?.note,
                  }
            }
          />
        </div>
      </div>
      {sms && !isNote && !editing && (
        <div className={classes.sms}>
          <SmsCount text={words && place.signature.opening + words} ways={sms} />
        </div>
      )}
      {place.drawDialogs({ dialog, onSend: send, onClose: () => setDialog(null) })}
    </div>
  )
}

type Inviting = { isNote: boolean; canCall: boolean; isBrief: boolean }
/** Where the field is narrow, what fits in it. */
const placeholderFor = ({ isNote, canCall, isBrief }: Inviting) => {
  if (isNote && isBrief) return 'Escreva uma nota. Só a equipe vê.'
  if (isNote) return 'Escreva uma nota. Só a equipe vê. Use @ para chamar alguém.'
  if (isBrief) return 'Escreva uma mensagem'
  return canCall
    ? 'Escreva uma mensagem, / para as rápidas, @ para mencionar'
    : 'Escreva uma mensagem ou digite / para as rápidas'
}

/** To the frame of the conversation, where letters are shortcuts. */
const leaveField = (field: HTMLElement) => {
  field.blur()
  field.closest<HTMLElement>('[data-keys=frame]')?.focus({ preventScroll: true })
}

/** On glass, Enter makes a line and the button sends. */
const isTouch = () => window.matchMedia('(pointer: coarse)').matches

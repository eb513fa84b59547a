import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Chat } from '../chat.ts'
import { acceptedFiles } from '../files.ts'
import { formatBytes, formatSeconds } from '../format.ts'
import type { ThreadMessage } from '../thread.ts'
import { language, say } from '../words.ts'
import { useChat } from './app.tsx'
import { Icon } from './icons.tsx'
import { authorOf, summarize } from './message-row.tsx'
import { type Attachment, useAttachments } from './use-attachments.ts'
import { canRecord, useRecorder } from './use-recorder.ts'

const MAX_CHARS = 4000
const DRAFT_DELAY_MS = 300
/** Phones: Enter breaks the line there, and focus would raise the keyboard unasked. */
export const hasKeyboard = (): boolean => matchMedia('(hover: hover) and (pointer: fine)').matches

type Props = {
  chat: Chat
  replyTo: ThreadMessage | undefined
  /** Something else is read meanwhile; what is written and attached stays. */
  isAside: boolean
  onReplyDone: () => void
}

export const Composer = ({ chat, replyTo, isAside, onReplyDone }: Props) => {
  const { config, isOpen } = useChat(chat)
  const uploads = config?.uploads ?? { enabled: false, maxBytes: 0, kinds: [] }
  const files = useAttachments(chat, uploads)
  const [text, setText] = useState(chat.draft)
  const [hint, setHint] = useState('')
  const [isDragging, setDragging] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const picker = useRef<HTMLInputElement>(null)
  const recorder = useRecorder((file) => files.add([file]), setHint)

  const excess = text.trim().length - MAX_CHARS
  const isUploading = files.attachments.some(({ upload, problem }) => !upload && !problem)
  const ready = files.attachments.filter(({ upload }) => upload)
  const isEmpty = text.trim() === '' && files.attachments.length === 0

  // What was waited for is there.
  useEffect(() => {
    if (!isUploading) setHint((now) => (now === say('waitUpload') ? '' : now))
  }, [isUploading])

  useEffect(() => {
    const timer = setTimeout(() => {
      if (text !== chat.draft) chat.saveDraft(text)
    }, DRAFT_DELAY_MS)
    return () => clearTimeout(timer)
  }, [chat, text])

  useLayoutEffect(() => {
    const node = field.current
    if (!node) return
    node.style.height = 'auto'
    node.style.height = `${node.scrollHeight}px`
  }, [text, isOpen, isAside])

  useEffect(() => {
    const target = hasKeyboard() ? field.current : field.current?.closest<HTMLElement>('.chat')
    // Beside a form the focus stays in the form.
    if (isOpen && !isAside && !chat.isPreview) target?.focus()
  }, [chat, isOpen, isAside])

  useEffect(() => {
    if (replyTo) field.current?.focus()
  }, [replyTo])

  useFileDrop(uploads.enabled && !isAside, files.add, setDragging)

  const send = (): void => {
    if (isUploading) {
      setHint(say('waitUpload'))
      return
    }
    if (excess > 0 || (text.trim() === '' && ready.length === 0)) return
    const quoted = replyTo && { id: replyTo.id, text: summarize(replyTo) }
    const [first, ...others] = ready
    chat.send({ text, upload: first?.upload, replyTo: quoted })
    for (const { upload } of others) chat.send({ upload })
    files.dropSent()
    setText('')
    chat.saveDraft('')
    setHint('')
    onReplyDone()
    field.current?.focus()
  }

  const handleKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing || !hasKeyboard()) return
    event.preventDefault()
    send()
  }

  const handlePaste = (event: ClipboardEvent): void => {
    const pasted = Array.from(event.clipboardData?.files ?? [])
    if (pasted.length === 0 || !uploads.enabled) return
    event.preventDefault()
    files.add(pasted)
  }

  return (
    <footer class="composer" hidden={isAside}>
      {isDragging && <div class="drop">{say('drop')}</div>}
      {replyTo && (
        <div class="replying">
          <span class="quote">
            <strong>{authorOf(replyTo)}</strong>
            <span class="quote-text">{summarize(replyTo)}</span>
          </span>
          <button
            type="button"
            class="icon-button"
            title={say('cancelReply')}
            aria-label={say('cancelReply')}
            onClick={onReplyDone}
          >
            <Icon name="close" size={18} />
          </button>
        </div>
      )}
      {files.attachments.length > 0 && (
        <ul class="attachments" aria-label={say('toSend')}>
          {files.attachments.map((one) => (
            <AttachmentRow key={one.key} attachment={one} onRemove={files.remove} onRetry={files.retry} />
          ))}
        </ul>
      )}
      {recorder.seconds === undefined ? (
        <div class="field-row">
          {uploads.enabled && (
            <button
              type="button"
              class="icon-button"
              title={say('attach')}
              aria-label={say('attach')}
              onClick={() => picker.current?.click()}
            >
              <Icon name="clip" />
            </button>
          )}
          <input
            ref={picker}
            type="file"
            class="picker"
            tabIndex={-1}
            aria-hidden="true"
            multiple
            accept={acceptedFiles(uploads.kinds)}
            onChange={(event) => {
              files.add(Array.from(event.currentTarget.files ?? []))
              event.currentTarget.value = ''
            }}
          />
          <textarea
            ref={field}
            rows={1}
            value={text}
            placeholder={say('write')}
            aria-label={say('message')}
            aria-invalid={excess > 0}
            onInput={(event) => {
              setText(event.currentTarget.value)
              setHint('')
              chat.typing.notice()
            }}
            onBlur={() => chat.typing.stop()}
            onKeyDown={handleKey}
            onPaste={handlePaste}
          />
          {isEmpty && uploads.enabled && uploads.kinds.includes('audio') && canRecord() ? (
            <button
              type="button"
              class="icon-button"
              title={say('record')}
              aria-label={say('record')}
              onClick={() => void recorder.start()}
            >
              <Icon name="microphone" />
            </button>
          ) : (
            <button
              type="button"
              class="icon-button send"
              title={say('send')}
              aria-label={say('sendMessage')}
              disabled={isEmpty || excess > 0 || (isUploading && text.trim() === '')}
              onClick={send}
            >
              <Icon name="send" />
            </button>
          )}
        </div>
      ) : (
        <div class="field-row recording">
          <span class="recording-dot" />
          <span class="recording-time" role="timer">
            {say('recording', { time: formatSeconds(recorder.seconds) })}
          </span>
          <button type="button" class="quiet" onClick={recorder.cancel}>
            {say('cancel')}
          </button>
          <button
            type="button"
            class="icon-button send"
            title={say('done')}
            aria-label={say('stopRecording')}
            onClick={recorder.stop}
          >
            <Icon name="stop" />
          </button>
        </div>
      )}
      <p class={excess > 0 ? 'hint problem' : 'hint'} role="status">
        {excess > 0 ? say('tooLong', { count: excess.toLocaleString(language()) }) : hint || countText(text)}
      </p>
    </footer>
  )
}

const countText = (text: string): string =>
  text.length > MAX_CHARS - 500 ? say('length', { count: text.trim().length.toLocaleString(language()) }) : ''

type AttachmentRowProps = {
  attachment: Attachment
  onRemove: (one: Attachment) => void
  onRetry: (one: Attachment) => void
}

const AttachmentRow = ({ attachment, onRemove, onRetry }: AttachmentRowProps) => {
  const { file, previewUrl, progress, upload, problem, isRefused } = attachment
  return (
    <li class={problem ? 'attachment bad' : 'attachment'}>
      {previewUrl ? <img src={previewUrl} alt="" /> : <Icon name="file" size={24} />}
      <span class="file-text">
        <span class="file-name">{file.name}</span>
        {problem ? (
          <span class="problem" role="alert">
            {problem}
          </span>
        ) : upload ? (
          <span class="file-size">{formatBytes(file.size)}</span>
        ) : (
          <progress max={1} value={progress} aria-label={say('uploading', { name: file.name })} />
        )}
      </span>
      {problem && !isRefused && (
        <button type="button" class="link" onClick={() => onRetry(attachment)}>
          {say('retry')}
        </button>
      )}
      <button
        type="button"
        class="icon-button"
        title={say('remove')}
        aria-label={say('removeNamed', { name: file.name })}
        onClick={() => onRemove(attachment)}
      >
        <Icon name="close" size={18} />
      </button>
    </li>
  )
}

const useFileDrop = (
  isEnabled: boolean,
  onFiles: (files: Iterable<File>) => void,
  onDragging: (on: boolean) => void,
) => {
  useEffect(() => {
    const carriesFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false
    const handleOver = (event: DragEvent): void => {
      if (!carriesFiles(event)) return
      event.preventDefault() // also when uploads are off, or the browser would leave the chat for the file
      onDragging(isEnabled)
    }
    const handleLeave = (event: DragEvent): void => {
      if (!event.relatedTarget) onDragging(false)
    }
    const handleDrop = (event: DragEvent): void => {
      if (!carriesFiles(event)) return
      event.preventDefault()
      onDragging(false)
      if (isEnabled) onFiles(Array.from(event.dataTransfer?.files ?? []))
    }
    addEventListener('dragover', handleOver)
    addEventListener('dragleave', handleLeave)
    addEventListener('drop', handleDrop)
    return () => {
      removeEventListener('dragover', handleOver)
      removeEventListener('dragleave', handleLeave)
      removeEventListener('drop', handleDrop)
    }
  })
}

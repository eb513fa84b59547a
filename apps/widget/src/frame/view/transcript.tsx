import { useEffect, useRef, useState } from 'preact/hooks'
import { ApiError } from '../api.ts'
import type { Chat } from '../chat.ts'
import { say } from '../words.ts'

/** Where the copy goes, and the code that proves it is theirs. */
export const TranscriptForm = ({ chat, onClose }: { chat: Chat; onClose: () => void }) => {
  const [email, setEmail] = useState(chat.knownEmail)
  const [code, setCode] = useState('')
  /** Undefined: not asked yet; null: on its way. */
  const [challenge, setChallenge] = useState<string | null>()
  const [failure, setFailure] = useState('')
  const [isBusy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)

  useEffect(() => {
    form.current?.querySelector<HTMLElement>('input, button')?.focus()
  }, [challenge])

  const submit = async (): Promise<void> => {
    const isCode = typeof challenge === 'string'
    if (!isCode && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email.trim())) return setFailure(say('badEmail'))
    setBusy(true)
    setFailure('')
    try {
      if (isCode) await chat.confirmTranscript(email.trim(), code.trim(), challenge)
      setChallenge(isCode ? null : await chat.askTranscript(email.trim()))
    } catch (error) {
      setFailure(failureOf(error, isCode))
    }
    setBusy(false)
  }

  return (
    <form
      class="copy"
      ref={form}
      noValidate
      aria-label={say('copy')}
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        onClose()
      }}
    >
      {challenge === null ? (
        <p role="status">{say('copySent', { email })}</p>
      ) : challenge === undefined ? (
        <div class="field">
          <label for="copy-email">{say('copyTo')}</label>
          <input
            id="copy-email"
            type="email"
            inputMode="email"
            autocomplete="email"
            maxLength={254}
            value={email}
            aria-invalid={Boolean(failure)}
            aria-describedby={failure ? 'copy-problem' : undefined}
            onInput={(event) => setEmail(event.currentTarget.value)}
          />
        </div>
      ) : (
        <div class="field">
          <label for="copy-code">{say('copyCode', { email })}</label>
          <input
            id="copy-code"
            inputMode="numeric"
            autocomplete="one-time-code"
            maxLength={6}
            value={code}
            aria-invalid={Boolean(failure)}
            aria-describedby={failure ? 'copy-problem' : undefined}
            onInput={(event) => setCode(event.currentTarget.value)}
          />
        </div>
      )}
      {failure && (
        <p class="problem" id="copy-problem" role="alert">
          {failure}
        </p>
      )}
      <div class="copy-actions">
        <button type="button" class="quiet" onClick={onClose}>
          {say('back')}
        </button>
        {challenge !== null && (
          <button type="submit" class="primary" disabled={isBusy}>
            {say(isBusy ? 'moment' : challenge === undefined ? 'copyAsk' : 'copyConfirm')}
          </button>
        )}
      </div>
    </form>
  )
}

const failureOf = (error: unknown, isCode: boolean): string => {
  if (!(error instanceof ApiError)) return say('failed')
  if (error.status === 429) return say('copyTooMany')
  if (error.status === 422) return say(isCode ? 'copyBadCode' : 'badEmail')
  return error.message
}

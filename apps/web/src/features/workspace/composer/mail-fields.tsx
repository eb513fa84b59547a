import { Pill, TagsInput, TextInput, UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import { copiesProblem, isMailAddress, useMailHead, writeMailHead } from '../../conversations/messages/mail-head.ts'
import classes from './mail-fields.module.css'

type Limits = { subject: number; copies: number }

/** Subject and copies of what is being written by e-mail. */
export const MailFields = ({ placeId, limits }: { placeId: string; limits: Limits }) => {
  const { subject, cc, bcc } = useMailHead(placeId)
  const [isAsked, setAsked] = useState(false)
  const isOpen = isAsked || cc.length > 0 || bcc.length > 0
  return (
    <div className={classes.fields}>
      <div className={classes.line}>
        <TextInput
          className={classes.subject}
          variant="unstyled"
          size="sm"
          aria-label="Assunto"
          placeholder="Assunto (vazio: continua o da conversa)"
          maxLength={limits.subject}
          value={subject}
          onChange={(event) => writeMailHead(placeId, { subject: event.currentTarget.value })}
        />
        {!isOpen && (
          <UnstyledButton className={classes.more} onClick={() => setAsked(true)}>
            Cc e Cco
          </UnstyledButton>
        )}
      </div>
      {isOpen && (
        <>
          <Copies
            label="Cc"
            isAsked={isAsked}
            value={cc}
            error={copiesProblem({ cc, bcc: bcc.filter(isMailAddress) }, limits.copies)}
            onChange={(next) => writeMailHead(placeId, { cc: next })}
          />
          <Copies
            label="Cco"
            value={bcc}
            error={copiesProblem({ cc: [], bcc }, limits.copies)}
            onChange={(next) => writeMailHead(placeId, { bcc: next })}
          />
        </>
      )}
    </div>
  )
}

type CopiesProps = {
  label: string
  /** It was asked for: one writes here next, and not in the message. */
  isAsked?: boolean
  value: string[]
  error: string | null
  onChange: (next: string[]) => void
}

const Copies = ({ label, isAsked = false, value, error, onChange }: CopiesProps) => (
  <div className={classes.line}>
    <span className={classes.label} aria-hidden>
      {label}
    </span>
    <TagsInput
      className={classes.copies}
      variant="unstyled"
      size="sm"
      aria-label={label === 'Cc' ? 'Com cópia para' : 'Com cópia oculta para'}
      placeholder={value.length ? '' : 'nome@empresa.com.br'}
      splitChars={[',', ';', ' ']}
      autoFocus={isAsked}
      acceptValueOnBlur
      clearable={value.length > 1}
      clearButtonProps={{ 'aria-label': `Tirar todos de ${label}` }}
      value={value}
      error={error}
      onChange={(given) => onChange([...new Set(given.map(addressIn))])}
      renderPill={({ option, onRemove }) => (
        <Pill
          className={isMailAddress(String(option?.value)) ? undefined : classes.wrong}
          withRemoveButton
          onRemove={onRemove}
          removeButtonProps={{ 'aria-label': `Tirar ${option?.value}` }}
        >
          {option?.value}
        </Pill>
      )}
    />
  </div>
)

/** `Ana <ana@loja.com>`, as programs copy it, is its address. */
const addressIn = (given: string) => (/<([^<>]+)>/.exec(given)?.[1] ?? given).trim().toLowerCase()

import { mailSignature } from '@balcao/contract/conversations/mail-signature.ts'
import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import classes from '../../../features/people/settings/settings.module.css'
import { SignatureField } from '../../../features/workspace/composer/signature-field.tsx'
import { savePreferences } from '../../../kit/preferences.ts'
import { useCurrentSession } from '../../../kit/session.ts'
import { LeaveGuard } from '../../../ui/leave-guard.tsx'

/** What stands below one's e-mails. */
export const SignatureSetting = () => {
  const saved = useCurrentSession().user.configs.mailSignature
  const [typed, setTyped] = useState<string | null>(null)
  const text = typed ?? saved
  const checked = mailSignature.safeParse(text)
  const hasChanged = text.trim() !== saved

  const handleSubmit = async () => {
    if (!checked.success) return
    await savePreferences({ mailSignature: checked.data })
    setTyped(null)
  }

  return (
    <form
      className={classes.row}
      data-below
      onSubmit={(event) => {
        event.preventDefault()
        void handleSubmit()
      }}
    >
      <LeaveGuard active={hasChanged} />
      <SignatureField
        label="Assinatura dos e-mails"
        description="Abaixo do texto dos e-mails que você escreve. Vazia: a da fila, ou a do canal."
        error={checked.error?.issues[0]?.message}
        value={text}
        onChange={setTyped}
      />
      {hasChanged && (
        <Group mt="xs">
          <Button type="submit" disabled={!checked.success}>
            Salvar assinatura
          </Button>
          <Button variant="default" onClick={() => setTyped(null)}>
            Descartar
          </Button>
        </Group>
      )}
    </form>
  )
}

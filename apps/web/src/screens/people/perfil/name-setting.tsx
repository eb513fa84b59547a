import { personName } from '@balcao/contract/common.ts'
import { Button, Group, TextInput } from '@mantine/core'
import { useState } from 'react'
import { SettingRow } from '../../../features/people/settings/setting-row.tsx'
import classes from '../../../features/people/settings/settings.module.css'
import { api } from '../../../kit/api.ts'
import { messageOf } from '../../../kit/api-error.ts'
import { session, useCurrentSession } from '../../../kit/session.ts'
import { notify } from '../../../ui/notify.ts'

/** One's own name, as colleagues see it and customers read it. */
export const NameSetting = () => {
  const { userId, username } = useCurrentSession()
  const [typed, setTyped] = useState<string | null>(null)
  const [refusal, setRefusal] = useState<string>()
  const [busy, setBusy] = useState(false)
  const name = typed ?? username
  const checked = personName.safeParse(name)
  const hasChanged = name.trim() !== username

  const handleSubmit = async () => {
    if (!checked.success) return
    setBusy(true)
    setRefusal(undefined)
    try {
      await api.put(`/users/${userId}`, { name: checked.data }, { quiet: true })
      session.update({ username: checked.data })
      setTyped(null)
      notify.success('Nome salvo.')
    } catch (error) {
      setRefusal(messageOf(error))
    } finally {
      setBusy(false)
    }
  }

  return (
    <SettingRow
      id="profile-name"
      label="Nome"
      help="Aparece para os colegas e, com a assinatura ligada, para os clientes."
      problem={refusal ?? (checked.success ? undefined : checked.error.issues[0]?.message)}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void handleSubmit()
        }}
      >
        <Group gap="xs" wrap="nowrap" className={classes.wide}>
          <TextInput
            id="profile-name"
            flex={1}
            autoComplete="name"
            value={name}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          {hasChanged && (
            <Button type="submit" loading={busy} disabled={!checked.success}>
              Salvar
            </Button>
          )}
        </Group>
      </form>
    </SettingRow>
  )
}

import type { OptOut } from '@balcao/contract/contacts/consent.ts'
import { Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { reasonOf } from '../../../kit/api-error.ts'
import { plural } from '../../../kit/format.ts'
import { withoutRows } from '../../../kit/renew-head.ts'
import { notify } from '../../../ui/notify.ts'
import { giveBack, optOutsKey } from './api.ts'
import { whoIs } from './opt-out-words.ts'

type Props = { rows: readonly OptOut[]; onClose: () => void; onDone: () => void }

/** They want to receive it again: what shows it is written down, with who wrote it. */
export const GiveBackDialog = ({ rows, onClose, onDone }: Props) => {
  const cache = useQueryClient()
  const [proof, setProof] = useState('')
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const [first] = rows
  const handleSubmit = async () => {
    if (!proof.trim()) return setProblem('Diga como o contato pediu.')
    setBusy(true)
    const ids = new Set(rows.map((row) => row.id))
    try {
      await giveBack([...ids], proof.trim())
      cache.setQueriesData<Parameters<typeof withoutRows<OptOut>>[0]>({ queryKey: optOutsKey }, (now) =>
        withoutRows(now, ({ id }) => ids.has(id)),
      )
      notify.success(rows.length === 1 ? 'O contato voltou a receber.' : `${rows.length} contatos voltaram a receber.`)
      onDone()
      onClose()
    } catch (error) {
      notify.error(reasonOf(error))
      setBusy(false)
    }
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={<Text fw={600}>Voltar a enviar?</Text>}
      closeButtonProps={{ 'aria-label': 'Fechar' }}
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void handleSubmit()
        }}
      >
        <Stack gap="sm">
          <Text size="sm" c="dimmed">
            {rows.length === 1 && first ? whoIs(first) : plural(rows.length, 'contato', 'contatos')} só deve voltar a
            receber campanhas e pesquisas se tiver pedido. O registro anterior continua guardado.
          </Text>
          <Textarea
            label="Como o contato pediu"
            description="Fica guardado com seu nome e a hora, e não pode ser mudado."
            placeholder="Por telefone, no balcão, por e-mail…"
            required
            autosize
            minRows={2}
            maxLength={500}
            data-autofocus
            value={proof}
            error={problem}
            onChange={(event) => {
              setProof(event.currentTarget.value)
              setProblem(undefined)
            }}
          />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancelar
            </Button>
            <Button type="submit" loading={busy}>
              Voltar a enviar
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

import {
  type Integration,
  type IntegrationKind,
  integrationResource,
  integrations,
} from '@balcao/contract/core/integrations/index.ts'
import { Button, Group, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTestIntegration } from '../../../features/core/integrations/api.ts'
import { IntegrationForm } from '../../../features/core/integrations/integration-form.tsx'
import { IntegrationState } from '../../../features/core/integrations/integration-state.tsx'
import { ProviderGallery } from '../../../features/core/providers/provider-gallery.tsx'
import { messageOf } from '../../../kit/api-error.ts'
import { allRows, deleteRow } from '../../../kit/resource-api.ts'
import { useCan } from '../../../kit/use-can.ts'
import { ConfirmDelete } from '../../../ui/confirm-delete.tsx'
import { notify } from '../../../ui/notify.ts'
import { ProviderGlyph } from '../../../ui/provider-glyph.tsx'
import classes from './mail-accounts.module.css'

const mailers = Object.values(integrations).filter(({ family }) => family === 'mail')
type Asked = { kind: IntegrationKind; row: Integration | null }

/** From which invitations, new passwords and notices leave; a mailbox may be opened with one of them. */
export const MailAccounts = () => {
  const mayWrite = useCan('integrations.write')
  const rows = useQuery({ ...allRows<Integration>(integrationResource), enabled: mayWrite })
  const cache = useQueryClient()
  const test = useTestIntegration()
  const [isChoosing, setChoosing] = useState(false)
  const [asked, setAsked] = useState<Asked | null>(null)
  const [deleting, setDeleting] = useState<Integration | null>(null)
  if (!mayWrite || rows.isPending) return null
  const accounts = (rows.data ?? []).filter(({ family }) => family === 'mail')

  const renew = () => void cache.invalidateQueries({ queryKey: ['resource', integrationResource.event] })
  const handleDelete = async () => {
    if (!deleting) return
    try {
      await deleteRow(integrationResource, deleting.id)
      notify.success(`${deleting.name}: conta excluída.`)
      setAsked(null)
    } catch (error) {
      notify.error(messageOf(error))
    }
    setDeleting(null)
    renew()
  }
  const handleSaved = (saved: Integration) => {
    notify.success(asked?.row ? 'Alterações salvas.' : `${saved.name}: conta adicionada.`)
    setAsked(asked?.row ? null : { kind: saved.kind, row: saved }) // a new one can be tested now, or authorized
    renew()
  }

  return (
    <section className={classes.accounts} aria-labelledby="contas-de-envio">
      <Group justify="space-between" gap="sm">
        <h2 id="contas-de-envio">Contas de envio</h2>
        <Button variant="default" size="xs" onClick={() => setChoosing(true)}>
          Adicionar conta
        </Button>
      </Group>
      {accounts.length === 0 && (
        <Text size="sm" c="dimmed">
          Sem uma conta da empresa, convites, senhas novas e avisos saem pela conta da instalação, quando ela tem uma.
        </Text>
      )}
      {accounts.map((row) => (
        <div key={row.id} className={classes.account}>
          <ProviderGlyph glyph={integrations[row.kind].glyph} size={28} />
          <div className={classes.words}>
            <Group gap="xs">
              <Text fw={600}>{row.name}</Text>
              <IntegrationState of={row} />
            </Group>
            <Text size="sm" c="dimmed">
              {[integrations[row.kind].label, row.config.from].filter(Boolean).join(' · ')}
            </Text>
            {row.stateText && <Text size="sm">{row.stateText}</Text>}
            {test.error && test.variables === row.id && (
              <Text size="sm" role="alert" c="var(--mantine-color-error)">
                {messageOf(test.error)}
              </Text>
            )}
          </div>
          <Group gap="xs">
            <Button
              variant="default"
              size="xs"
              aria-label={`Testar ${row.name}`}
              loading={test.isPending && test.variables === row.id}
              onClick={() => test.mutate(row.id)}
            >
              Testar
            </Button>
            <Button
              variant="default"
              size="xs"
              aria-label={`Editar ${row.name}`}
              onClick={() => setAsked({ kind: row.kind, row })}
            >
              Editar
            </Button>
          </Group>
        </div>
      ))}
      <ProviderGallery
        opened={isChoosing}
        title="De onde os avisos saem?"
        providers={mailers}
        onChoose={(kind) => {
          setChoosing(false)
          setAsked({ kind, row: null })
        }}
        onClose={() => setChoosing(false)}
      />
      {asked && (
        <IntegrationForm
          key={asked.row?.id ?? asked.kind}
          kind={asked.kind}
          row={asked.row}
          onClose={() => setAsked(null)}
          onSaved={handleSaved}
          onDelete={asked.row ? () => setDeleting(asked.row) : undefined}
        />
      )}
      <ConfirmDelete
        opened={deleting !== null}
        what={`a conta “${deleting?.name ?? ''}”`}
        busy={false}
        onConfirm={() => void handleDelete()}
        onClose={() => setDeleting(null)}
      />
    </section>
  )
}

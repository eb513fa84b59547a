import { reasonResource } from '@balcao/contract/conversations/reasons.ts'
import { Switch, TextInput } from '@mantine/core'
import { FlowsNaming } from '../../../features/automation/flows/flows-naming.tsx'
import { BulkProgress } from '../../../features/operations/jobs/bulk-progress.tsx'
import { InUseRemoval } from '../../../features/operations/replacing/in-use-removal.tsx'
import { ForceReason } from '../../../features/service/reasons/force-reason.tsx'
import { ResourceScreen } from '../../../kit/resource-screen.tsx'
import { activeColumn, changedColumn } from '../../../kit/row-columns.tsx'
import { ColorDot } from '../../../ui/color-dot.tsx'
import { ColorInput } from '../../../ui/color-input.tsx'

export default function MotivosScreen() {
  return (
    <ResourceScreen
      resource={reasonResource}
      purpose="Por que um atendimento terminou: quem encerra escolhe um destes."
      emptyText="Crie motivos como “Venda concluída”, “Dúvida resolvida” ou “Sem resposta do cliente”."
      extraFilters={<ForceReason />}
      columns={[
        {
          key: 'name',
          render: (reason) => (reason.color ? <ColorDot color={reason.color} label={reason.name} /> : reason.name),
        },
        activeColumn('Ativo', 'Inativo'),
        changedColumn('Alterado'),
      ]}
      progress={<BulkProgress kind="replaceReason" />}
      removal={(asked) => <InUseRemoval resource={reasonResource} without="Ficam sem motivo" {...asked} />}
      fields={(form, row, inputOf) => (
        <>
          <TextInput {...inputOf('name')} />
          <ColorInput
            label="Cor"
            description="Opcional: facilita reconhecer o motivo nos relatórios."
            {...form.getInputProps('color')}
            value={form.values.color ?? ''}
          />
          <Switch
            label="Ativo"
            description="Motivos inativos continuam nos atendimentos antigos, mas não aparecem para escolher."
            {...form.getInputProps('isActive', { type: 'checkbox' })}
          />
          {row?.isActive && !form.values.isActive && (
            <FlowsNaming ids={[row.id]} then="lá, o motivo continua a valer até você trocar." />
          )}
        </>
      )}
    />
  )
}

import type { Connection } from '@balcao/contract/channels/connections.ts'
import { channels } from '@balcao/contract/channels/index.ts'
import { Anchor, Switch } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'
import { api } from '../../../kit/api.ts'
import { messageOf } from '../../../kit/api-error.ts'
import { useCan } from '../../../kit/use-can.ts'
import { notify } from '../../../ui/notify.ts'
import { connectionList } from '../../channels/connections/api.ts'
import { SettingRow, SettingSection } from '../../people/settings/setting-row.tsx'

/** The channels that ask when a conversation ends. */
export const AskingChannels = () => {
  const cache = useQueryClient()
  const connections = useQuery(connectionList)
  const mayWrite = useCan('connections.write')
  const change = useMutation({
    mutationFn: ({ id, sendEvaluation }: Pick<Connection, 'id' | 'sendEvaluation'>) =>
      api.put<Connection>(`/whatsapp/${id}`, { sendEvaluation }),
    onSuccess: (saved) => {
      cache.setQueryData(connectionList.queryKey, (now) => now?.map((one) => (one.id === saved.id ? saved : one)))
      notify.success(`${saved.name}: ${saved.sendEvaluation ? 'pergunta ao encerrar' : 'não pergunta mais'}.`)
    },
    onError: (error) => notify.error(messageOf(error)),
  })
  const rows = connections.data ?? []
  return (
    <SettingSection
      title="Onde perguntamos"
      note="Ao encerrar, quem foi atendido recebe a pergunta. Encerrar sem motivo, grupos e conversas que ninguém atendeu ficam de fora."
    >
      {rows.length === 0 ? (
        <SettingRow label="Nenhum canal ligado ainda" help="Ligue um canal para perguntar aos clientes.">
          <Anchor component={Link} to="/sessoes">
            Abrir Canais
          </Anchor>
        </SettingRow>
      ) : (
        rows.map((one) => (
          <SettingRow key={one.id} id={`asks-${one.id}`} label={one.name} help={channels[one.kind].label}>
            <Switch
              id={`asks-${one.id}`}
              checked={
                change.isPending && change.variables.id === one.id
                  ? change.variables.sendEvaluation
                  : one.sendEvaluation
              }
              disabled={!mayWrite}
              onChange={(event) => change.mutate({ id: one.id, sendEvaluation: event.currentTarget.checked })}
            />
          </SettingRow>
        ))
      )}
    </SettingSection>
  )
}

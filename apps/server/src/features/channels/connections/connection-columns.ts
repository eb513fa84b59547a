import { type Connection, type ConnectionWork, connectionStateLabels } from '@balcao/contract/channels/connections.ts'
import { hostLabels } from '@balcao/contract/channels/hosts.ts'
import { channels } from '@balcao/contract/channels/index.ts'
import { type CsvColumn, momentText } from '../../../kit/csv.ts'

export type ConnectionLine = Pick<
  Connection,
  'kind' | 'name' | 'status' | 'statusText' | 'isDefault' | 'queue' | 'host' | 'options' | 'lastInboundAt' | 'createdAt'
> & { account: Pick<NonNullable<Connection['account']>, 'name' | 'number'> | null; work: ConnectionWork | undefined }

/** What the card of a connection says, as a line of a spreadsheet. */
export const connectionColumns = (timeZone: string): CsvColumn<ConnectionLine>[] => {
  const moment = momentText(timeZone)
  return [
    { label: 'Canal', value: (row) => row.name },
    { label: 'Tipo', value: (row) => channels[row.kind].label },
    { label: 'Situação', value: (row) => connectionStateLabels[row.status] },
    { label: 'O que houve', value: (row) => row.statusText },
    { label: 'Desde', value: (row) => moment(row.work?.since) },
    { label: 'Número', value: (row) => row.account?.number },
    { label: 'Nome da conta', value: (row) => row.account?.name },
    { label: 'Padrão', value: (row) => row.isDefault },
    { label: 'Fila inicial', value: (row) => row.queue?.name },
    { label: 'Servidor', value: (row) => row.host && hostLabels[row.host] },
    { label: 'Última recebida', value: (row) => moment(row.lastInboundAt) },
    { label: 'Última enviada', value: (row) => moment(row.work?.lastSentAt) },
    { label: 'Último aviso do provedor', value: (row) => moment(row.work?.lastEventAt) },
    { label: 'Esperando envio', value: (row) => row.work?.waiting },
    { label: 'Falhas hoje', value: (row) => row.work?.failedToday },
    { label: 'Enviadas hoje', value: (row) => row.work?.sentToday },
    { label: 'Máximo por dia', value: (row) => row.options.dailyMost },
    { label: 'Riscos', value: (row) => row.work?.risks.join(' ') },
    { label: 'Criado em', value: (row) => moment(row.createdAt) },
  ]
}

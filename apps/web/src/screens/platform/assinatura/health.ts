import { isOwnMachine, isPublicAddress } from '@balcao/contract/core/public-address.ts'
import type { PlatformSummary } from '@balcao/contract/platform/platform.ts'
import { formatBytes, formatDuration, plural } from '../../../kit/format.ts'
import type { StatusTone } from '../../../ui/status-dot.tsx'

export type HealthLine = { key: string; name: string; tone: StatusTone; state: string; detail: string }

const slowDatabaseMs = 250
const lateS = 60
const stuckS = 10 * 60
const littleBytes = 5_000_000_000
const fullBytes = 1_000_000_000

/** Each part of the installation, how it is and what that means. */
export const healthOf = ({ address, health, storage }: PlatformSummary): HealthLine[] => [
  {
    key: 'database',
    name: 'Banco de dados',
    ...(health.databaseMs < slowDatabaseMs ? fine : { tone: 'waiting' as const, state: 'Lento' }),
    detail: `Respondeu em ${health.databaseMs} ms.`,
  },
  {
    key: 'inbound',
    name: 'Recebimento',
    ...stateOf(health.inbound.oldestS),
    detail: waitText(health.inbound, 'evento'),
  },
  {
    key: 'outbound',
    name: 'Envio',
    ...stateOf(health.outbound.oldestS),
    detail: waitText(health.outbound, 'mensagem', 'mensagens'),
  },
  { key: 'disk', name: 'Espaço em disco', ...roomOf(storage.freeBytes) },
  { key: 'address', name: 'Endereço', ...reachOf(address) },
]

const fine = { tone: 'good' as const, state: 'Normal' }

const stateOf = (oldestS: number) => {
  if (oldestS < lateS) return fine
  return oldestS < stuckS ? { tone: 'waiting' as const, state: 'Atrasado' } : { tone: 'bad' as const, state: 'Parado' }
}

const waitText = ({ waiting, oldestS }: { waiting: number; oldestS: number }, one: string, many = `${one}s`) =>
  waiting === 0
    ? 'Nada esperando.'
    : `${plural(waiting, one, many)} esperando${oldestS > 0 ? `, há até ${formatDuration(oldestS * 1_000)}` : ''}.`

const roomOf = (freeBytes: number | null) => {
  if (freeBytes === null)
    return { tone: 'quiet' as const, state: 'Externo', detail: 'Os arquivos ficam em um serviço S3.' }
  const detail = `${formatBytes(freeBytes)} livres.`
  if (freeBytes < fullBytes) return { tone: 'bad' as const, state: 'Quase cheio', detail }
  return freeBytes < littleBytes ? { tone: 'waiting' as const, state: 'Pouco espaço', detail } : { ...fine, detail }
}

const reachOf = (address: string) => {
  if (isPublicAddress(address)) return { ...fine, detail: `${address}.` }
  const [state, consequence] = isOwnMachine(address)
    ? ['Só nesta máquina', 'ninguém de fora abre convites, o chat do site ou os avisos dos canais. Defina PUBLIC_URL.']
    : address.startsWith('http:')
      ? ['Sem HTTPS', 'de outras máquinas só se entra por HTTPS. Defina PUBLIC_URL.']
      : ['Rede interna', 'os avisos dos canais, que vêm da internet, não chegam.']
  return { tone: 'waiting' as const, state, detail: `${address}: ${consequence}` }
}

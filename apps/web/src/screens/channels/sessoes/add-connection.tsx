import { type ChannelKind, channels } from '@balcao/contract/channels/index.ts'
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useSession } from '../../../kit/session.ts'
import { useOpenedConnection } from './use-opened-connection.ts'

/** Begins a channel of one kind, or with the choice of one; absent where the company's plan has none of it. */
export const AddConnection = ({ kind }: { kind?: ChannelKind }) => {
  const { open } = useOpenedConnection()
  const allowed = useSession()?.user.tenant.allowedChannels
  if (kind && allowed && !allowed.includes(kind)) return null
  return (
    <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => open('novo', kind)}>
      {kind ? `Adicionar ${channels[kind].label}` : 'Adicionar canal'}
    </Button>
  )
}

import { type QuickMessage, quickFolderResource } from '@balcao/contract/service/quick-messages.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { GroupsModal } from '../../../features/core/groups/groups-modal.tsx'
import { quickFolders } from '../../../features/service/quick-messages/api.ts'
import { useCurrentSession } from '../../../kit/session.ts'
import { useCan } from '../../../kit/use-can.ts'
import { ScopeFields, ScopeText } from './scope.tsx'

/** The folders of quick messages, each with those who use it. */
export const FoldersModal = ({ onClose }: { onClose: () => void }) => {
  const { userId } = useCurrentSession()
  const mayShare = useCan('quick-messages.share')
  const rows = useQuery(quickFolders).data ?? []
  const [people, setPeople] = useState<Pick<QuickMessage, 'scope' | 'queueId'>>({
    scope: mayShare ? 'everyone' : 'mine',
    queueId: null,
  })
  return (
    <GroupsModal
      resource={quickFolderResource}
      title="Pastas de mensagens rápidas"
      newLabel="Nova pasta"
      rows={rows}
      canWrite={(row) => (row.scope === 'mine' && row.userId === userId) || mayShare}
      beside={(row) => <ScopeText of={row} />}
      newValues={people}
      newFields={
        <ScopeFields
          scope={people.scope}
          inputOf={(field) => ({
            value: people[field],
            onChange: (value) => setPeople((now) => ({ ...now, [field]: value })),
          })}
        />
      }
      onClose={onClose}
    />
  )
}

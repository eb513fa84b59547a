import { Modal, Select, Text } from '@mantine/core'
import { IconEye, IconEyeOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '../../../kit/api-error.ts'
import { useCurrentSession } from '../../../kit/session.ts'
import { visibilityQuery } from '../../conversations/tickets/api.ts'
import { userOptions } from '../../people/users/api.ts'

/** For administrators: the rule that shows or hides this conversation for somebody of the team. */
export const VisibilityDialog = ({ ticketId, onClose }: { ticketId: string; onClose: () => void }) => {
  const self = useCurrentSession()
  const [userId, setUserId] = useState(self.userId)
  const people = useQuery(userOptions)
  const answer = useQuery(visibilityQuery(ticketId, userId))
  const name = people.data?.find((person) => person.id === userId)?.name ?? self.username
  return (
    <Modal
      opened
      onClose={onClose}
      title={<Text fw={600}>Quem vê este atendimento</Text>}
      closeButtonProps={{ 'aria-label': 'Fechar' }}
    >
      <Select
        label="Pessoa"
        searchable
        data-autofocus
        openOnFocus={false}
        data={(people.data ?? []).map((person) => ({ value: person.id, label: person.name }))}
        value={userId}
        allowDeselect={false}
        onChange={(id) => id && setUserId(id)}
      />
      <div role="status" style={{ minHeight: 88, paddingTop: 16 }}>
        {answer.isError ? (
          <Text c="red">{messageOf(answer.error)}</Text>
        ) : (
          answer.data && (
            <>
              <Text fw={600} c={answer.data.isVisible ? 'green' : 'red'} style={{ display: 'flex', gap: 8 }}>
                {answer.data.isVisible ? <IconEye size={20} aria-hidden /> : <IconEyeOff size={20} aria-hidden />}
                {name} {answer.data.isVisible ? 'vê' : 'não vê'} este atendimento
              </Text>
              <Text c="dimmed" mt={4}>
                {answer.data.text}
              </Text>
            </>
          )
        )}
      </div>
    </Modal>
  )
}

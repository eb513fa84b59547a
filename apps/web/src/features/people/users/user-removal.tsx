import { Stack } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { Removal } from '../../../kit/resource-screen.tsx'
import { ConfirmDelete } from '../../../ui/confirm-delete.tsx'
import { HandOverSelect } from './hand-over-select.tsx'

type Props = Removal<{ id: string }> & {
  /** What else there is to know before. */
  children: ReactNode
}
/** Asks before people are deleted, and to whom their conversations go. */
export const UserRemoval = ({ rows, what, busy, onConfirm, onClose, children }: Props) => {
  const [handOverTo, setHandOverTo] = useState<string | null>(null)
  return (
    <ConfirmDelete opened what={what} busy={busy} onConfirm={() => onConfirm({ handOverTo })} onClose={onClose}>
      <Stack gap="sm">
        <span>Sai na hora de onde estiver e não entra mais. O histórico fica.</span>
        {children}
        <HandOverSelect userIds={rows.map(({ id }) => id)} value={handOverTo} onChange={setHandOverTo} />
      </Stack>
    </ConfirmDelete>
  )
}

import { Stack } from '@mantine/core'
import { useState } from 'react'
import type { Removal } from '../../../kit/resource-screen.tsx'
import { ConfirmDelete } from '../../../ui/confirm-delete.tsx'
import { HandOverSelect } from './hand-over-select.tsx'

/** Asks before people are deleted, and to whom their conversations go. */
export const UserRemoval = ({ rows, what, busy, onConfirm, onClose }: Removal<{ id: string }>) => {
  const [handOverTo, setHandOverTo] = useState<string | null>(null)
  return (
    <ConfirmDelete opened what={what} busy={busy} onConfirm={() => onConfirm({ handOverTo })} onClose={onClose}>
      <Stack gap="sm">
        <span>Sai na hora de onde estiver e não entra mais. O histórico fica.</span>
        <HandOverSelect userIds={rows.map(({ id }) => id)} value={handOverTo} onChange={setHandOverTo} />
      </Stack>
    </ConfirmDelete>
  )
}

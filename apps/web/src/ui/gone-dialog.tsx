import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ConfirmDialog } from './confirm-dialog.tsx'

type Props = {
  /** What the address asks for; nothing is said while it is still being read. */
  row: Pick<UseQueryResult, 'isError' | 'refetch'>
  title: string
  backLabel: string
  onBack: () => void
  /** Why that may be. */
  children: ReactNode
}

/** Said when the row an address names cannot be read. */
export const GoneDialog = ({ row, title, backLabel, onBack, children }: Props) => (
  <ConfirmDialog
    opened={row.isError}
    title={title}
    confirmLabel={backLabel}
    cancelLabel="Tentar de novo"
    onConfirm={onBack}
    onClose={() => void row.refetch()}
  >
    {children}
  </ConfirmDialog>
)

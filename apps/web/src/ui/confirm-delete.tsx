import type { ReactNode } from 'react'
import { ConfirmDialog } from './confirm-dialog.tsx'

type Props = {
  opened: boolean
  /** What goes: "a etiqueta Vendas", "3 etiquetas". */
  what: string
  children?: ReactNode
  typed?: string
  busy?: boolean
  onConfirm: () => void
  onClose: () => void
}

export const ConfirmDelete = ({ what, children, ...rest }: Props) => (
  <ConfirmDialog title={`Excluir ${what}?`} confirmLabel="Excluir" tone="danger" {...rest}>
    {children ?? 'Esta ação não pode ser desfeita.'}
  </ConfirmDialog>
)

import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import type { OtherTicket } from './use-ticket-actions.ts'

type Props = { other: OtherTicket; onGo: (ticketId: string) => void; onClose: () => void }

/** ERR_OTHER_OPEN_TICKET: one conversation per contact and channel; here is the one. */
export const OtherTicketDialog = ({ other, onGo, onClose }: Props) => (
  <ConfirmDialog
    opened
    title="Este contato já tem um atendimento aberto"
    confirmLabel="Ir para o atendimento"
    cancelLabel="Ficar aqui"
    onClose={onClose}
    onConfirm={() => onGo(other.ticketId)}
  >
    {other.userName ? `Está com ${other.userName}.` : 'Ele está esperando um atendente.'} Continue por lá para não
    dividir a conversa.
  </ConfirmDialog>
)

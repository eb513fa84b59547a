import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'

type Props = { onConfirm: () => void; onClose: () => void }

/** "Entrega incerta": sending again may say it twice, so the person decides. */
export const ResendQuestion = (props: Props) => (
  <ConfirmDialog opened title="Tentar de novo?" confirmLabel="Tentar de novo" {...props}>
    Não sabemos se o cliente já recebeu. Se recebeu, ele verá a mensagem duas vezes.
  </ConfirmDialog>
)

export const DeleteQuestion = ({ isNote, ...props }: Props & { isNote: boolean }) => (
  <ConfirmDialog
    opened
    tone="danger"
    title={isNote ? 'Apagar a nota?' : 'Apagar a mensagem?'}
    confirmLabel="Apagar"
    {...props}
  >
    {isNote ? 'Ela some para toda a equipe.' : 'Ela some também para o cliente. Esta ação não pode ser desfeita.'}
  </ConfirmDialog>
)

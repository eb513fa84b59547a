import { Button } from '@mantine/core'
import { IconCloudOff, IconUpload } from '@tabler/icons-react'
import classes from './bubble.module.css'
import type { Outgoing } from './outbox-state.ts'
import { useUpload } from './uploads.ts'
import own from './waiting-line.module.css'

type Props = { outgoing: Outgoing; onWithdraw: () => void }

/** A message that goes by itself, and what it waits for. */
export const WaitingLine = ({ outgoing, onWithdraw }: Props) => {
  const { progress, isLoose } = useUpload(outgoing.file?.id ?? '')
  const isUploading = outgoing.state === 'uploading'
  const Icon = isUploading ? IconUpload : IconCloudOff
  const isOwn = isUploading && outgoing.file !== null
  return (
    <span className={`${classes.undo} tabular`} role="status">
      <span>
        <Icon size={14} className={own.icon} aria-hidden />
        {isOwn
          ? `Enviando o arquivo… ${Math.round(progress * 100)}%`
          : isUploading
            ? 'Aguardando o arquivo anterior.'
            : 'Aguardando conexão.'}
        {isLoose ? ' Não feche a página.' : !isOwn && <span className={own.aside}> Vai sozinha.</span>}
      </span>
      <Button size="compact-sm" variant="subtle" color="gray" onClick={onWithdraw}>
        Voltar a editar
      </Button>
    </span>
  )
}

import { Button } from '@mantine/core'
import { IconCloudOff } from '@tabler/icons-react'
import { Notice } from './notice.tsx'

type Props = { title?: string; message?: string; onRetry?: () => void }

export const ErrorState = ({ title = 'Não conseguimos carregar', message, onRetry }: Props) => (
  <Notice
    role="alert"
    icon={<IconCloudOff size={26} stroke={1.5} />}
    title={title}
    action={
      onRetry && (
        <Button variant="default" onClick={onRetry}>
          Tentar de novo
        </Button>
      )
    }
  >
    {message ?? 'Confira a sua internet e tente de novo.'}
  </Notice>
)

import { IconLock } from '@tabler/icons-react'
import { Notice } from './notice.tsx'

export const ForbiddenState = ({ message }: { message?: string }) => (
  <Notice role="alert" icon={<IconLock size={26} stroke={1.5} />} title="Acesso negado">
    {message ?? 'Seu perfil não tem permissão para ver esta tela. Fale com o administrador da sua empresa.'}
  </Notice>
)

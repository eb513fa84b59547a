import { Button } from '@mantine/core'
import { IconCompass, IconLock } from '@tabler/icons-react'
import { Link } from 'react-router'
import { Notice } from '../ui/notice.tsx'

export const NotFound = () => (
  <Notice
    icon={<IconCompass size={26} stroke={1.5} />}
    title="Página não encontrada"
    action={
      <Button component={Link} to="/">
        Ir para o início
      </Button>
    }
  >
    O endereço pode ter mudado ou sido digitado com um erro.
  </Notice>
)

export const NoAccess = () => (
  <Notice icon={<IconLock size={26} stroke={1.5} />} title="Nenhuma tela liberada">
    Seu usuário ainda não tem acesso a nenhuma tela. Fale com o administrador da sua empresa.
  </Notice>
)

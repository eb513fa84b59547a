import { Anchor, Stack, Text } from '@mantine/core'
import { Link } from 'react-router'
import { AccountFrame } from './account-frame.tsx'

/** Whoever looks for an account is told who makes them: nobody makes one alone here. */
export default function SignupScreen() {
  return (
    <AccountFrame title="Criar conta" lead="O acesso é dado por quem já está dentro.">
      <Stack gap="md">
        <Text>
          <strong>Sua empresa já usa o Balcão?</strong> Peça ao administrador dela que cadastre você em Usuários.
        </Text>
        <Text>
          <strong>Sua empresa ainda não usa?</strong> Fale com quem cuida desta instalação: empresas novas são criadas
          por lá.
        </Text>
        <Anchor component={Link} to="/login" ta="center">
          Voltar para o login
        </Anchor>
      </Stack>
    </AccountFrame>
  )
}
